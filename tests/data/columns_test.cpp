// SPDX-License-Identifier: MIT
#include "ritz/data/columns.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "data/columns.hpp"
#include "data/formats/record.hpp"
#include "data/source_names.hpp"
#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

Dataset read_text(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return read_dataset(folder.file("data.csv", text), options, {});
}

Complaint complaint_about(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.file("data.csv", text);
  return complaint([&] { read_dataset(path, options, {}); });
}

using Names = std::vector<std::string>;

const char* const kTable =
    "color,smoker,born,size\nred,yes,1970-01-03,1.5\nblue,no,1970-01-01,2.5\nred,no,1969-12-31,3.5\ngreen,yes,1970-01-"
    "02,4\n";

}  // namespace

TEST_CASE("texts_become_categories_flags_and_days") {
  const Dataset data = read_text(kTable);

  CHECK(data.feature_names == Names{"color=blue", "color=green", "color=red", "smoker", "born", "size"});
  CHECK(data.dense() ==
        (RowMatrix(4, 6) << 0, 0, 1, 1, 2, 1.5, 1, 0, 0, 0, 0, 2.5, 0, 0, 1, 0, -1, 3.5, 0, 1, 0, 1, 1, 4).finished());
  CHECK(data.recipe->column_of_features() == std::vector<Index>{0, 0, 0, 1, 2, 3});
  CHECK(data.ids.empty());
}

TEST_CASE("a_recipe_finds_columns_by_name_in_any_order") {
  ReadOptions options;
  options.recipe = read_text(kTable).recipe;

  const Dataset data = read_text("size,other,born,smoker,color\n1.5,u,1970-01-03,TRUE,red\n", options);

  CHECK(data.dense() == (RowMatrix(1, 6) << 0, 0, 1, 1, 2, 1.5).finished());
  CHECK(
      complaint_about("size,born,smoker\n1,1970-01-03,yes\n", options).says("has no column 'color', which the model"));
  CHECK(complaint_about("size,born,smoker,color\n1,1970-01-03,yes,mauve\n", options).says("holds 'mauve'"));
  options.unseen = UnseenLevels::other;
  CHECK(read_text("size,born,smoker,color\n1,1970-01-03,yes,mauve\n", options).dense().leftCols(3).isZero());
}

TEST_CASE("kinds_can_be_asked_for") {
  ReadOptions options;
  options.kinds = {"a=category", "b=ordered(low,mid,high)", "c=number"};

  const Dataset data = read_text("a,b,c\n1,mid,7\n2,low,8\n1,high,9\n", options);

  CHECK(data.feature_names == Names{"a=1", "a=2", "b", "c"});
  CHECK(data.dense() == (RowMatrix(3, 4) << 1, 0, 2, 7, 0, 1, 1, 8, 1, 0, 3, 9).finished());
  CHECK(complaint_about("a,b,c\n1,huge,7\n", options)
            .says("holds 'huge', which is none of its levels, 'low', 'mid', 'high'"));
  CHECK(complaint([] { read_kind("a=colour"); }).code == ErrorCode::bad_option);
  CHECK(complaint([] { read_kind("a"); }).code == ErrorCode::bad_option);
  CHECK(read_kind("a=b=ordered(x, y)").name == "a=b");
}

TEST_CASE("counters_and_names_of_rows_are_left_out") {
  std::string unnamed = ",a,b\n", named = "x,a,b\n", texts = "who,a,b\n";
  for (int i = 0; i < 12; ++i) {
    const std::string rest = "," + std::to_string(i * i) + "," + std::to_string(7 - i) + "\n";
    unnamed += std::to_string(i) + rest;
    named += std::to_string(i + 1) + rest;
    texts += "p" + std::to_string(i) + rest;
  }
  for (const std::string& text : {unnamed, named, texts}) {
    const Dataset data = read_text(text);
    CHECK(data.feature_names == Names{"a", "b"});
    CHECK(data.notes.front().starts_with("left out: "));
  }
  CHECK(read_text(texts).ids.at(3) == "p3");
  CHECK(read_text("1,2\n2,7\n3,1\n").cols() == 2);  // without a header nothing is guessed
  ReadOptions keep;
  keep.kinds = {"x=number"};
  CHECK(read_text(named, keep).feature_names == Names{"x", "a", "b"});
}

TEST_CASE("all_columns_of_no_use_are_told_at_once") {
  std::string text = "a,note,b,remark\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i % 7) + ",n" + std::to_string(i / 2) + ",1.5,r" + std::to_string(i % 40) + "\n";

  const auto found = complaint_about(text);

  CHECK(found.says("input.drop_column 'note,remark'"));
  ReadOptions options;
  options.drop_columns = {"note,remark"};
  CHECK(read_text(text, options).feature_names == Names{"a", "b"});
}

TEST_CASE("gaps_are_filled_with_what_the_fit_has_learnt") {
  for (const auto& [how, expected] : {std::pair{MissingValues::mean, 4.0}, {MissingValues::median, 2.0}}) {
    ReadOptions options;
    options.missing = how;
    const Dataset fit = read_text("a,b,c\n1,red,1\n2,red,2\n9,blue,3\n,,4\n", options);
    CHECK(fit.dense()(3, 0) == expected);
    CHECK(fit.dense().row(3).segment(1, 2) == Eigen::RowVector2d(0, 1));
    ReadOptions later;
    later.recipe = fit.recipe;
    CHECK(read_text("a,b,c\n100,red,1\n,blue,2\n", later).dense()(1, 0) == expected);
  }
}

TEST_CASE("neighbours_fill_a_gap_the_same_in_any_company") {
  std::string text = "a,b\n";
  for (int i = 0; i < 20; ++i)
    text += std::to_string(i % 10) + "." + std::to_string(i) + "," + std::to_string(10 * (i % 10)) + "\n";
  ReadOptions options;
  options.missing = MissingValues::knn;
  const Dataset fit = read_text(text + "5.0,\n", options);
  ReadOptions later;
  later.recipe = fit.recipe;

  CHECK(std::abs(fit.dense()(20, 1) - 50) <= 10);
  CHECK(read_text("b,a\n,5.0\n", later).dense()(0, 1) == fit.dense()(20, 1));
}

TEST_CASE("targets_are_not_filled_and_not_asked_for_again") {
  ReadOptions options;
  options.missing = MissingValues::mean;
  options.target_columns = {"y"};
  Dataset fit = read_text("a,y,b\n1,2,3\n4,NA,6\n,8,9\n", options);
  CHECK(fit.rows() == 2);
  CHECK(fit.dropped.front().row == 2);

  take_columns(fit, fit.recipe->targets);

  ReadOptions later;
  later.recipe = fit.recipe;
  CHECK(read_text("b,a\n3,1\n", later).dense() == (RowMatrix(1, 2) << 1, 3).finished());
}

TEST_CASE("one_category_can_be_taken_out_as_labels") {
  ReadOptions options;
  options.kinds = {"color=category"};
  Dataset data = read_text(kTable, options);

  const Labels labels = take_labels(data, "color");

  CHECK(labels.names == Names{"blue", "green", "red"});
  CHECK(labels.of == std::vector<int>{2, 0, 2, 1});
  CHECK(data.feature_names == Names{"smoker", "born", "size"});
}

TEST_CASE("files_of_other_programs_are_read") {
  const RowMatrix expected = (RowMatrix(3, 2) << 5.1, 3.5, 4.9, 3, 4.7, 3.25).finished();
  for (const char* text : {"\"a\" \"b\"\n\"1\" 5.1 3.5\n\"2\" 4.9 3\n\"3\" 4.7 3.25\n",       // R's write.table
                           "\"\";\"a\";\"b\"\n\"1\";5,1;3,5\n\"2\";4,9;3\n\"3\";4,7;3,25\n",  // R's write.csv2
                           "sep=;\r\na;b\r\n5,1;3,5\r\n4,9;3\r\n4,7;3,25\r\n",                // Excel
                           ",a,b\n0,5.1,3.5\n1,4.9,3\n2,4.7,3.25\n",                          // pandas
                           "a,b,\n5.1,3.5,\n4.9,3,\n4.7,3.25,\n"}) {                          // a last delimiter
    CAPTURE(text);
    CHECK(read_text(text).dense() == expected);
    CHECK(read_text(text).feature_names == Names{"a", "b"});
  }
  ReadOptions label;
  label.label_column = "label";
  CHECK(read_text("0,1,label\n5.1,3.5,u\n4.9,3,v\n4.7,3.25,u\n", label).dense() == expected);
  CHECK(read_text("0,1,2\n1,0,3\n2,3,0\n").rows() == 3);  // may be numbers
  CHECK(read_text("Class,v1,v2\nrep,n,y\ndem,y,y\nrep,n,n\ndem,y,?\n", {"Class", {}, MissingValues::drop}).rows() == 3);
}

TEST_CASE("numbers_with_groups_or_a_decimal_comma") {
  using detail::read_number;
  CHECK(read_number("1,234,567.5", '.') == 1234567.5);
  CHECK(read_number("-1,234", '.') == -1234);
  CHECK_FALSE(read_number("1,23", '.'));
  CHECK_FALSE(read_number("1,2345", '.'));
  CHECK(read_number("1.234,5", ',') == 1234.5);
  CHECK(read_number("-,5", ',') == -0.5);
  CHECK(read_number("5,1e3", ',') == 5100);
  CHECK_FALSE(read_number("a,b", ','));
  CHECK(read_text("a;b\n1.234,5;x\n7,25;y\n3;x\n").dense().col(0) == Eigen::Vector3d(1234.5, 7.25, 3));
}

TEST_CASE("dates_and_flags") {
  using detail::date_value;
  CHECK(date_value("1970-01-02") == 1);
  CHECK(date_value("2000-03-01 12:00") == 11017.5);
  CHECK(date_value("1970-01-01T01:00:00+01:00") == 0);
  CHECK(date_value("1970-01-01T06:00:00.0Z") == 0.25);
  for (const char* text :
       {"1970-02-30", "19700132", "17000101", "119700101", "1970-01-01x", "1970-01-01T99:00", "abc", ""})
    CHECK_FALSE(date_value(text));
  for (const char* text : {"19700102", "Fri Jan 02 1970", "Fri, 2 Jan 1970 00:00:00 +0000", "Fri Jan  2 00:00:00 1970",
                           "Fri Jan 2 00:00:00 UTC 1970", "19700102T000000Z", "2. Januar 1970", "2 janv. 1970",
                           "2 de enero de 1970", "2-gen-1970"}) {
    CAPTURE(text);
    CHECK(date_value(text) == 1);
  }
  CHECK(detail::date_value("2/1/1970 6:00:00 p. m.", detail::DateOrder::day) == 1.75);
  CHECK(*detail::not_a_date(Names{"1.2.2024", "3.4.2024", "5.6.2024", "soon"}) == "soon");
  CHECK_FALSE(detail::not_a_date(Names{"1 day", "2 days", "3 days", "more"}));
  CHECK(detail::flag_value("VRAI") == 1);
  CHECK(detail::flag_value("нет") == 0);
  CHECK_FALSE(detail::flag_value("yes no"));
  CHECK(detail::flag_value("TRUE") == 1);
  CHECK(detail::flag_value("n") == 0);
  CHECK_FALSE(detail::flag_value("maybe"));
}

TEST_CASE("durations_are_days") {
  using detail::duration_value;
  for (const char* text : {"36:00:00", "36:00", "1 days 12:00:00", "1 day, 12:00:00", "1 d 12 h", "36h", "36 h 0 min",
                           "2160 min", "1 day and 12 hours", "P1DT12H", "PT36H", "1 jour 12 h"}) {
    CAPTURE(text);
    CHECK(duration_value(text) == 1.5);
  }
  CHECK(duration_value("1h30") == 0.0625);
  CHECK(duration_value("90:00.0") == 0.0625);
  CHECK(duration_value("-1h30") == -0.0625);
  CHECK(duration_value("-1 days +12:00:00") == -0.5);
  CHECK(duration_value("2 weeks 1 day") == 15);
  for (const char* text :
       {"", "P", "h", "1", "30 min 1 h", "1h75", "12:61", "2024:02:29", "1 out of 10", "3 kg", "soon"}) {
    CAPTURE(text);
    CHECK_FALSE(duration_value(text));
  }
}

TEST_CASE("dates_in_the_order_that_the_column_tells") {
  using detail::date_form, detail::date_value, detail::DateOrder;
  CHECK(date_value("02.01.1970", DateOrder::day) == 1);
  CHECK(date_value("1/2/70", DateOrder::month) == 1);
  CHECK(date_value("1/2/1970 6:00 PM", DateOrder::month) == 1.75);
  for (const char* text : {"2-Jan-1970", "2 January 1970", "02JAN1970", "Jan 2, 1970", "02JAN70:00:00:00"}) {
    CAPTURE(text);
    CHECK(date_value(text) == 1);
  }
  CHECK(date_value("06:00") == 0.25);
  for (const char* text : {"31.2.2000", "2.13.2000", "May", "12 kg", "1.5", "1.2.3", "2000", "12:61"}) {
    CAPTURE(text);
    CHECK_FALSE(date_value(text, DateOrder::day));
  }
  CHECK(date_form(Names{"3/4/2024", "3/29/2024"})->order == DateOrder::month);
  CHECK(date_form(Names{"3/4/2024", "29/3/2024"})->order == DateOrder::day);
  CHECK(date_form(Names{"3/4/2024", "5/6/2024"})->order == DateOrder::month);
  CHECK_FALSE(date_form(Names{"3/4/2024", "5/6/2024"})->only);
  CHECK(date_form(Names{"3.4.2024", "5.6.2024"})->order == DateOrder::day);
  CHECK_FALSE(date_form(Names{"3/29/2024", "29/3/2024"}));
}

TEST_CASE("numbers_in_their_clothes") {
  using detail::common_unit, detail::dressed_number;
  const auto value = [](const char* text, char decimal = '.') {
    const auto found = dressed_number(text, decimal);
    return found ? found->value : kUnknown;
  };
  CHECK(value("$1,234.50") == 1234.5);
  CHECK(value("-$3") == -3);
  CHECK(value("CHF 1'234.5") == 1234.5);
  CHECK(value("12.5 %") == 12.5);
  CHECK(value(" $ -   ") == 0);
  CHECK(value("12,34,567.5") == 1234567.5);
  CHECK(value("1_013.5") == 1013.5);
  CHECK(value("1.5D+03") == 1500);
  for (const char* grade : {"A-", "B-3", "-", "1,2,3"}) CHECK(std::isnan(value(grade)));
  CHECK(value("(3.20)") == -3.2);
  CHECK(value("1.234,5 €", ',') == 1234.5);
  CHECK(value("1\xE2\x80\xAF"
              "234,5",
              ',') == 1234.5);
  CHECK(value("\xE2\x88\x92"
              "3") == -3);
  CHECK(value("5 km/h") == 5);
  for (const char* text : {"a1", "A-3", "1 2", "12 34", "x", "", "1.2.3", "12 Main St", "3-4", "10:30"}) {
    CAPTURE(text);
    CHECK_FALSE(dressed_number(text, '.'));
  }
  CHECK(common_unit(Names{"5 kg", "7 kg", "0", "-"}, '.') == "kg");
  CHECK(common_unit(Names{"5", "7", "unknown"}, '.') == "");
  CHECK_FALSE(common_unit(Names{"5 kg", "7 lb"}, '.'));
  CHECK_FALSE(common_unit(Names{"5 kg", "7"}, '.'));
  CHECK_FALSE(common_unit(Names{"none", "-"}, '.'));
  CHECK_FALSE(common_unit(Names{"5", "seven"}, '.'));
  for (const char* text :
       {"<2.5", "> 2.5", "≤2.5", "~2.5", "ca. 2.5", "2.5 ± 0.1", "2.5(3)", "2.5*", "0.25×10^1", "２.５"}) {
    CAPTURE(text);
    CHECK(value(text) == 2.5);
  }
  CHECK(dressed_number("<2.5", '.')->limit);
  CHECK(dressed_number("5+", '.')->limit);
  CHECK_FALSE(dressed_number("~2.5", '.')->limit);
  CHECK(value("12.50-") == -12.5);
  CHECK(value("Fr. 12.-") == 12);
  CHECK(value("10.5° S") == -10.5);
  CHECK(value("10°5'30\"S") == -(10 + 5.0 / 60 + 30.0 / 3600));
  CHECK(value("5½") == 5.5);
  CHECK(value("-3 1/4 in") == -3.25);
  CHECK(value("5'11\"") == 71);
  CHECK(value("1'011") == 1011);
  CHECK(dressed_number("7/10", '.')->unit == "/10");
  for (const char* text : {"10°75'", "5'13\"", "110/70", "1/2/2024", "20.11.", "A+", "2-", "1 2 kg"})
    CHECK(std::isnan(value(text)));
}

TEST_CASE("numbers_of_several_units_have_one_in_common") {
  using detail::common_unit, detail::dressed_number, detail::in_unit;
  const auto told = [](const char* text, const char* unit) {
    return in_unit(*dressed_number(text, '.'), unit).value_or(kUnknown);
  };
  CHECK(common_unit(Names{"950", "1.5k", "3M"}, '.') == "");
  CHECK(common_unit(Names{"$950", "$1.5K"}, '.') == "$");
  CHECK(common_unit(Names{"5 g", "7 kg"}, '.') == "g");
  CHECK(common_unit(Names{"5 kg", "7 KG"}, '.') == "kg");
  CHECK(common_unit(Names{"1 star", "2 stars"}, '.') == "stars");
  CHECK_FALSE(common_unit(Names{"5 cm", "7 in"}, '.'));
  CHECK_FALSE(common_unit(Names{"12", "12B", "14"}, '.'));
  CHECK(told("1.5k", "") == 1500);
  CHECK(told("$3M", "$") == 3e6);
  CHECK(told("2 MB", "B") == 2e6);
  CHECK(told("2 kg", "g") == 2000);
  CHECK(told("250 mg/L", "g/L") == 0.25);
  CHECK(told("7", "kg") == 7);
  CHECK(std::isnan(told("7 lb", "kg")));
}

TEST_CASE("scales_that_people_know_are_ordered") {
  using detail::on_scale;
  CHECK(on_scale(Names{"High", "low", "Medium"}) == Names{"low", "Medium", "High"});
  CHECK(on_scale(Names{"agree", "strongly agree", "disagree"}) == Names{"disagree", "agree", "strongly agree"});
  CHECK(on_scale(Names{"red", "low", "high"}).empty());
  CHECK(on_scale(Names{"low", "high"}).empty());
  CHECK(on_scale(Names{"low", "Low", "high"}).empty());
  CHECK(on_scale(Names{"65+", "18-24", "under 18", "25-64"}) == Names{"under 18", "18-24", "25-64", "65+"});
  CHECK(on_scale(Names{"2 - Neutral", "1 - Disagree", "3 - Agree"}) ==
        Names{"1 - Disagree", "2 - Neutral", "3 - Agree"});
  CHECK(on_scale(Names{"2-1", "1-0", "3-1"}).empty());
  CHECK(on_scale(Names{"5", "7", "9"}).empty());
}

TEST_CASE("lent_samples_are_not_copied_until_they_are_changed") {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  Dataset data;
  data.samples = LentRows{values.data(), 3, 2};
  const Dataset& seen = data;
  CHECK(seen.rows() == 3);
  CHECK(seen.cols() == 2);
  CHECK(seen.dense().data() == values.data());
  const Dataset copy = data;
  CHECK(copy.dense().data() == values.data());
  data.dense()(0, 0) = 9;
  CHECK(values.front() == 1);
  CHECK(seen.dense()(0, 0) == 9);
  CHECK(select_rows(copy, {2}).dense() == (RowMatrix(1, 2) << 5, 6).finished());
}

TEST_CASE("texts_that_are_not_utf8_are_latin_1") {
  CHECK(as_utf8("caf\xe9") == "caf\xc3\xa9");
  CHECK(as_utf8("caf\xc3\xa9") == "caf\xc3\xa9");
  CHECK(as_utf8("\x80") == "\xe2\x82\xac");
  const Dataset data = read_text("caf\xe9,b\n1,2\n3,4\n");
  CHECK(data.feature_names.front() == "caf\xc3\xa9");
  CHECK(data.notes.size() == 1);
}
