// SPDX-License-Identifier: MIT
#include "report/plot/png.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

#include "ritz/base/error.hpp"

namespace ritz {

namespace {

// What is called of librsvg and cairo, by their stable binary interfaces.
struct Rectangle {
  double x, y, width, height;
};
struct Renderer {
  void* rsvg = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
  void* cairo = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
  void* gobject = dlopen("libgobject-2.0.so.0", RTLD_NOW | RTLD_LOCAL);

  void* (*read)(const unsigned char*, unsigned long, void**) = find<decltype(read)>(rsvg, "rsvg_handle_new_from_data");
  int (*draw)(void*, void*, const Rectangle*, void**) = find<decltype(draw)>(rsvg, "rsvg_handle_render_document");
  void (*release)(void*) = find<decltype(release)>(gobject, "g_object_unref");
  void* (*make_surface)(int, int, int) = find<decltype(make_surface)>(cairo, "cairo_image_surface_create");
  void* (*make_pen)(void*) = find<decltype(make_pen)>(cairo, "cairo_create");
  void (*drop_pen)(void*) = find<decltype(drop_pen)>(cairo, "cairo_destroy");
  void (*drop_surface)(void*) = find<decltype(drop_surface)>(cairo, "cairo_surface_destroy");
  int (*write)(void*, int (*)(void*, const unsigned char*, unsigned),
               void*) = find<decltype(write)>(cairo, "cairo_surface_write_to_png_stream");

  bool whole() const {
    return read && draw && release && make_surface && make_pen && drop_pen && drop_surface && write;
  }

 private:
  template <class Function>
  static Function find(void* library, const char* name) {
    return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
  }
};

const Renderer& renderer() {
  static const Renderer one;
  return one;
}

double number_after(std::string_view svg, std::string_view name) {
  const std::size_t at = svg.find(name);
  return at == std::string_view::npos ? 0 : std::strtod(svg.data() + at + name.size(), nullptr);
}

int append(void* closure, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(bytes), count);
  return 0;  // CAIRO_STATUS_SUCCESS
}

}  // namespace

std::string png_objection() {
  return renderer().whole() ? ""
                            : "PNG pictures need the library librsvg (Debian: librsvg2-2), which is not there; a name "
                              "that ends in .svg needs nothing";
}

std::string png_of(const std::string& svg) {
  if (const std::string objection = png_objection(); !objection.empty()) throw Error(ErrorCode::unsupported, objection);
  constexpr double kPixels = 2;
  constexpr int kArgb32 = 0;
  const Renderer& by = renderer();
  const double width = kPixels * number_after(svg, " width=\""), height = kPixels * number_after(svg, " height=\"");
  void* handle = by.read(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), nullptr);
  if (!handle) throw Error(ErrorCode::write_failed, "the picture could not be drawn as PNG");
  void* surface = by.make_surface(kArgb32, int(width), int(height));
  void* pen = by.make_pen(surface);
  const Rectangle page{0, 0, width, height};
  std::string png;
  const bool drawn = by.draw(handle, pen, &page, nullptr) && by.write(surface, append, &png) == 0;
  by.drop_pen(pen);
  by.drop_surface(surface);
  by.release(handle);
  if (!drawn) throw Error(ErrorCode::write_failed, "the picture could not be drawn as PNG");
  return png;
}

}  // namespace ritz
