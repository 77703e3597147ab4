# SPDX-License-Identifier: MIT
"""More tables as programs in many countries write them, each through one verb after the other: the same numbers as of the
plainly numeric file, told by the hash of the data, or one sentence that names the cure."""
import io
import subprocess
import shutil
import zipfile

import numpy as np
import pandas as pd
import pytest

from conftest import facts, run_ritz
from test_tables import A, B, C, COLOR, D, DATES, DAYS, FLAG, FRAME, GAPS, HALF, L, LABELS, N, VERBS, csv, data_hash, grouped, with_label, write

FL = with_label(FRAME.assign(f=FLAG.astype(int)))
NOON = D.assign(d=DAYS + 0.5)


def comma(value):
    return str(value).replace(".", ",")


DE = L.assign(a=L.a.map(comma), b=L.b.map(comma), c=L.c.map(comma))


def flags(**words):
    return with_label(FRAME.assign(**{name: np.where(FLAG, *pair) for name, pair in words.items()}))


def plain_flags(count):
    return with_label(FRAME.assign(**{f"f{i}": FLAG.astype(int) for i in range(count)}))


def dummies(values):
    return with_label(pd.concat([FRAME, pd.get_dummies(pd.Series(values)).astype(int)], axis=1))


def gaps(*words):
    """In a the words, one a row."""
    return csv(with_label(FRAME.assign(a=[words[i] if i < len(words) else v for i, v in enumerate(A)])))


def gone(count):
    return L.iloc[count:]


def zipped(text, *others):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("table.csv", text)
        for name in others:
            archive.writestr(name, "x")
    return held.getvalue()


def days(form):
    return csv(D.assign(d=DATES.strftime(form)))


def named_days(months, form):
    return csv(D.assign(d=[form.format(x.day, months.split()[x.month - 1], x.year) for x in DATES]))


def numbers_of(frame):
    return csv(frame, header=False)


ERRORS = ["#NV", "#WERT!", "#BEZUG!", "#N/D", "#VALEUR!", "#¡DIV/0!", "#VALORE!", "#SPILL!", "-nan(ind)"]
NOTHINGS = ["1.#QNAN", "1.#IND", "(blank)", "(leer)", "NV", "k.A.", "s.d.", "n.d.", "ND", "..", "...", "*", ".a", "missing", "NONE"]
YEARS = pd.DataFrame({"2019": A, "2020": B, "2021": C})
LONG = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
FRENCH = "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc."
SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
ITALIAN = "gen feb mar apr mag giu lug ago set ott nov dic"
DOLLARS = [v if i % 5 else 0 for i, v in enumerate(C)]

SECONDS = np.arange(N) * 5021 % 90000 + 61  # some of more than a day
SPANS = L.assign(d=SECONDS / 86400)
MINUTES = L.assign(d=SECONDS // 60 / 1440)
POWER = 10.0 ** (3 * (np.arange(N) * 7 % 3))
BIG = (100 + np.arange(N) * 5 % 97) / 4 * POWER  # quarters, whose products are exact
HUGE = with_label(FRAME.assign(v=BIG))
LIMIT = with_label(FRAME.assign(v=np.clip(np.round(C / 1000, 2), 1.5, 9)))
ORDER = with_label(FRAME.assign(v=np.arange(N) * 5 % 4 + 1))
ZONED = D.assign(d=DAYS + 11 / 24)
MONTHS = D.assign(d=[(x.replace(day=1) - pd.Timestamp("1970-01-01")).days for x in DATES])
QUARTERS = D.assign(d=[(pd.Timestamp(x.year, 3 * ((x.month - 1) // 3) + 1, 1) - pd.Timestamp("1970-01-01")).days for x in DATES])
WEEKS = D.assign(d=[v - x.weekday() for v, x in zip(DAYS, DATES)])


def times(form, sign=""):
    return csv(L.assign(d=[sign + form.format(h=s // 3600, m=s % 3600 // 60, M=s // 60, s=s % 60, d=s // 86400, H=s % 86400 // 3600) for s in SECONDS]))


def column(values, frame=FRAME):
    return csv(with_label(frame.assign(v=list(values))))


def scaled(value, k="k", m="M", unit="", before=""):
    """To three digits, as 1.23M, 634k, 139."""
    power, word = next((p, w) for p, w in ((1e6, m), (1e3, k), (1, "")) if value >= p)
    return f"{before}{value / power:.6g}{word}{unit}"


def levels(*words):
    return column(words[i * 5 % 4] for i in range(N))


def ordinal(n):
    return f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def bounded(low, high, form="{}"):
    return column(low if v == 1.5 else high if v == 9 else form.format(v) for v in LIMIT.v)


STAMPS = pd.to_datetime("2023-03-01") + pd.to_timedelta(SECONDS, unit="s")
MINUTELY = STAMPS.floor("min")
POLISH = "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
RUSSIAN = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"
OWED = L.assign(c=[-v if i % 2 else v for i, v in enumerate(C)])
FEET = with_label(FRAME.assign(v=[12 * (5 + i % 2) + i * 5 % 12 for i in range(N)]))
MORE_NOTHINGS = ["??", "…", "•", "(NA)", "[NA]", "NA_real_", "._", "n. a.", "nodata", "Err:502", "Refused", "Don't know", "inconnu", "''", '""', "¤"]


def of_day(time, seconds=0):
    """Days since 1970 as they are computed from a day and the seconds in it."""
    return (time.normalize() - pd.Timestamp("1970-01-01")).days + (3600 * time.hour + 60 * time.minute + time.second + seconds) / 86400


# name: (content, further options, the plainly numeric table)
TABLES = {
    "more than a day": (times("{h:02}:{m:02}:{s:02}"), [], SPANS),
    "minutes and tenths": (csv(L.assign(d=[f"{s // 60 % 600}:{s % 60:02}.5" for s in SECONDS])), [],
                           L.assign(d=(SECONDS // 60 % 600 * 60 + SECONDS % 60 + 0.5) / 86400)),
    "1h30": (times("{h}h{m:02}"), [], MINUTES),
    "2h 18m 5s": (times("{h}h {m}m {s}s"), [], SPANS),
    "1 d 02 h": (times("{d} d {H} h {m} min {s} s"), [], SPANS),
    "hours and minutes in words": (times("{h} hours and {m} minutes"), [], MINUTES),
    "minutes, or hours and minutes": (csv(L.assign(d=[f"{s // 60} min" if i % 3 else f"{s // 3600} h {s % 3600 // 60} min"
                                                      for i, s in enumerate(SECONDS)])), [], MINUTES),
    "PostgreSQL's intervals": (times("{d} days {H:02}:{m:02}:{s:02}"), [], SPANS),
    "ISO durations": (times("P{d}DT{H}H{m}M{s}S"), [], SPANS),
    "durations below zero": (times("{h}:{m:02}:{s:02}", "-"), [], SPANS.assign(d=-SPANS.d)),
    "weeks and days": (csv(D.assign(d=[f"{v // 7} weeks {v % 7} days" for v in DAYS])), [], D),
    "minutes in all": (times("{M} min"), [], L.assign(d=SECONDS // 60)),
    "below a limit": (bounded("<1.5", "9.0"), [], LIMIT),
    "above and below": (bounded("< 1.5", "> 9"), [], LIMIT),
    "at most and at least": (bounded("≤1.5", ">=9"), [], LIMIT),
    "limits with units": (bounded("<1.5 mg/L", ">9 mg/L", "{} mg/L"), [], LIMIT),
    "5 and more": (column(f"{v}" if v < 4 else "4+" for v in ORDER.v), [], ORDER),
    "about": (column(f"~{v}" if i % 2 else f"ca. {v}" for i, v in enumerate(C)), [], with_label(FRAME.assign(v=C))),
    "plus or minus": (column(f"{v} ± 0.3" if i % 2 else f"{v}(12)" for i, v in enumerate(C)), [], with_label(FRAME.assign(v=C))),
    "stars of significance": (column(f"{v}**" if i % 2 else v for i, v in enumerate(C)), [], with_label(FRAME.assign(v=C))),
    "k and M": (column(scaled(v) for v in BIG), [], HUGE),
    "K and M of money": (column(scaled(v, "K", before="$") for v in BIG), [], HUGE),
    "thousand and million": (column(scaled(v, " thousand", " million") for v in BIG), [], HUGE),
    "bytes": (column(scaled(v / 10, " KB", " MB") if v >= 1e4 else f"{v / 1e4} KB" for v in BIG), [],
              with_label(FRAME.assign(v=[v / 10 for v in BIG]))),
    "grams and kilograms": (column(f"{v} g" if v < 1e4 else f"{v / 1000} kg" for v in BIG), [], HUGE),
    "ohms": (column(scaled(v, " k", " M", "Ω") if v >= 1e3 else f"{v} Ω" for v in BIG), [], HUGE),
    "square metres": (csv(L.assign(c=[f"{v} m2" for v in C])), [], L),
    "degrees of latitude": (csv(L.assign(c=[f"{v}° {'NS'[i % 2]}" for i, v in enumerate(C)])), [],
                            L.assign(c=[-v if i % 2 else v for i, v in enumerate(C)])),
    "minus behind": (csv(L.assign(c=[f"{v:.2f}-" if i % 2 else f"{v:.2f}" for i, v in enumerate(C)])), [],
                     L.assign(c=[-v if i % 2 else v for i, v in enumerate(C)])),
    "Swiss francs": (csv(L.assign(c=[f"Fr. {v:.0f}.-" for v in C])), [], L.assign(c=[float(f"{v:.0f}") for v in C])),
    "powers of ten": (csv(L.assign(c=[f"{v}×10^3" for v in C])), [], L.assign(c=[float(f"{v}e3") for v in C])),
    "places": (column(ordinal(v) for v in range(1, N + 1)), [], with_label(FRAME.assign(v=np.arange(1, N + 1)))),
    "Arabic digits": (csv(L.assign(c=["".join(chr(0x660 + int(x)) for x in f"{v:.0f}") for v in C])), [],
                      L.assign(c=[float(f"{v:.0f}") for v in C])),
    "points in groups": (csv(with_label(pd.DataFrame({"a": DAYS, "b": DAYS[::-1], "c": [grouped(int(v) * 1000, ".")[:-2] for v in C]})), sep=";"), [],
                         with_label(pd.DataFrame({"a": DAYS, "b": DAYS[::-1], "c": [int(v) * 1000 for v in C]}))),
    "dates in two styles": (csv(D.assign(d=[x.strftime("%Y-%m-%d" if i % 2 else "%d.%m.%Y") for i, x in enumerate(DATES)])), [], D),
    "1st of January": (csv(D.assign(d=[f"{ordinal(x.day)} of {x:%B %Y}" for x in DATES])), [], D),
    "January 1st, at noon": (csv(D.assign(d=[f"{x:%B} {ordinal(x.day)}, {x.year} at 12:00 PM" for x in DATES])), [], NOON),
    "2024-Feb-29": (days("%Y-%b-%d"), [], D),
    "Japanese dates": (csv(D.assign(d=[f"{x.year}年{x.month}月{x.day}日" for x in DATES])), [], D),
    "Korean dates": (csv(D.assign(d=[f"{x.year}년 {x.month}월 {x.day}일" for x in DATES])), [], D),
    "cameras": (days("%Y:%m:%d 12:00:00"), [], NOON),
    "fourteen digits": (days("%Y%m%d120000"), [], NOON),
    "names of files": (days("%Y%m%d_120000"), [], NOON),
    "Central European Time": (days("%Y-%m-%d 12:00:00 CET"), [], ZONED),
    "Google Forms": (days("%Y/%m/%d 12:00:00 PM GMT+1"), [], ZONED),
    "Java": (days("%Y-%m-%dT12:00:00+01:00[Europe/Zurich]"), [], ZONED),
    "JavaScript with a zone": (days("%a %b %d %Y 12:00:00 GMT+0100 (Central European Standard Time)"), [], ZONED),
    "months of Excel": (days("%b-%y"), [], MONTHS),
    "months with a slash": (days("%m/%Y"), [], MONTHS),
    "Q1 2024": (csv(D.assign(d=[f"Q{(x.month - 1) // 3 + 1} {x.year}" for x in DATES])), [], QUARTERS),
    "ISO weeks": (days("%G-W%V"), [], WEEKS),
    "dates that are not known": (csv(D.assign(d=["unknown" if i == 1 else "-" if i == 4 else f"{x:%Y-%m-%d}" for i, x in enumerate(DATES)])),
                                 ["--na", "drop"], D.drop([1, 4])),
    "groups of age": (levels("under 18", "18-24", "25-64", "65 or older"), [], ORDER),
    "groups of income": (levels("<10k", "10k-20k", "20k-50k", "50k+"), [], ORDER),
    "numbered answers": (levels("1 - Disagree", "2 - Neutral", "3 - Agree", "4 - Strongly agree"), [], ORDER),
    "German answers": (levels("nie", "selten", "oft", "immer"), [], ORDER),
    "Roman numbers": (levels("I", "II", "III", "IV"), [], ORDER),
    "y, n, yes and no": (column(("yes" if i % 3 else "Y") if v else ("no" if i % 3 else "N") for i, v in enumerate(FLAG)), [],
                         with_label(FRAME.assign(v=FLAG.astype(int)))),
    "names 1, 2, 3 and class": (csv(L.set_axis(["1", "2", "3", "class"], axis=1)), ["--label-column", "4"], L),
    "wavelengths and class": (csv(L.set_axis(["400", "410", "420", "class"], axis=1)), ["--label-column", "4"], L),
    "plates": ("Plate,1,,\nWell,450,570,label\n" + csv(L[["a", "b", "c", "label"]].assign(a=[f"A{i}" for i in range(N)]), header=False),
               ["--label-column", "4"], L[["b", "c", "label"]]),
    "a semicolon in a text": (csv(with_label(FRAME.assign(k=[f"x;{'uv'[i % 2]}" for i in range(N)]))), [],
                              dummies([f"x;{'uv'[i % 2]}" for i in range(N)])),
    "doors": (column(["2", "3", "4", "5more"][i % 4] for i in range(N)), [], with_label(FRAME.assign(v=np.arange(N) % 4 + 2))),
    "Spark's quotes": ('a,b,c,note,label\n' + "".join(f'{a},{b},{c},"say \\"x, {i % 3}\\"",{y}\n' for i, (a, b, c, y) in enumerate(zip(A, B, C, LABELS))),
                       ["--drop-column", "note"], L),
    "remarks behind": (csv(L) + '\nSource: our own survey\n"Weighed in 2024, at noon"\n', [], L),
    "titles with commas": ("Report,,,\nmade in,2024,,\n,,,\n" + csv(L), [], L),
    "titles with semicolons": ("Gerät;X200;;\nMessung;5;;\n;;;\n" + csv(DE, sep=";"), [], L),
    "quoted sep": ('"sep=;"\n' + csv(DE, sep=";"), [], L),

    "flags of Excel's languages": (csv(flags(f0=("VRAI", "FAUX"), f1=("WAHR", "FALSCH"), f2=("VERDADERO", "FALSO"), f3=("VERO", "FALSO"),
                                             f4=("VERDADEIRO", "FALSO"), f5=("PRAWDA", "FAŁSZ"), f6=("WAAR", "ONWAAR"), f7=("SANT", "FALSKT"))),
                                   [], plain_flags(8)),
    "flags of people": (csv(flags(f0=("да", "нет"), f1=("tak", "nie"), f2=("Sí", "No"), f3=("evet", "hayır"), f4=("是", "否"), f5=("ja", "nej"),
                                  f6=("✓", "✗"))), [], plain_flags(7)),
    "a mark or nothing": (csv(flags(f=("x", ""))), [], FL),
    "errors of Excel's languages": (gaps(*ERRORS), ["--na", "drop"], gone(len(ERRORS))),
    "words for nothing": (gaps(*NOTHINGS), ["--na", "drop"], gone(len(NOTHINGS))),
    "nines for nothing": (csv(GAPS.fillna(-999)), ["--kind", "*=number(-999)", "--na", "drop"], HALF),
    "nines of one column": (csv(GAPS.fillna(-999)), ["--kind", "a=number(-999)", "--na", "median"], GAPS.fillna({"a": GAPS.a.median()})),
    "compact dates": (days("%Y%m%d"), [], D),
    "dates with slashes": (days("%Y/%m/%d"), [], D),
    "ISO in UTC": (days("%Y-%m-%dT12:00:00.000Z"), [], NOON),
    "BigQuery": (days("%Y-%m-%d 12:00:00.000000 UTC"), [], NOON),
    "psql with zones": (days("%Y-%m-%d 14:00:00+02"), [], NOON),
    "JavaScript": (days("%a %b %d %Y"), [], D),
    "letters' dates": (days("%a, %d %b %Y 12:00:00 +0000"), [], NOON),
    "Unix dates": (days("%a %b %d 12:00:00 UTC %Y"), [], NOON),
    "web servers": (days("%d/%b/%Y:12:00:00 +0000"), [], NOON),
    "basic ISO": (days("%Y%m%dT120000Z"), [], NOON),
    "German months": (named_days(LONG, "{}. {} {}"), [], D),
    "French months": (named_days(FRENCH, "{} {} {}"), [], D),
    "Spanish months": (named_days(SPANISH, "{} de {} de {}"), [], D),
    "Italian months": (named_days(ITALIAN, "{}-{}-{}"), [], D),
    "Spanish afternoons": (days("%d/%m/%Y 12:00:00 p. m."), [], NOON),
    "MySQL's day of zeros": (csv(D.assign(d=[x.strftime("%Y-%m-%d") if i > 1 else "0000-00-00" for i, x in enumerate(DATES)])),
                             ["--na", "drop"], D.iloc[2:]),
    "a word among dates": (csv(D.assign(d=[x.strftime("%d.%m.%Y") if i > 1 else "soon" for i, x in enumerate(DATES)])),
                           ["--kind", "d=date", "--na", "drop"], D.iloc[2:]),
    "week days": (csv(with_label(FRAME.assign(d=DATES.strftime("%A")))), [], dummies(DATES.strftime("%A"))),
    "savetxt": ("# a,b,c,label\n" + numbers_of(L), [], L),
    "savetxt, blanks": ("# a b c label\n" + csv(L, header=False, sep=" "), [], L),
    "commented header, tabs": ("## plants of May\n#a\tb\tc\tlabel\n" + csv(L, header=False, sep="\t"), [], L),
    "years as names": (csv(with_label(YEARS.assign(country=[f"land {i}" for i in range(N)]))), [], L),
    "rows of commas behind": (csv(L) + ",,,\n,,,\n", [], L),
    "rows of commas between": (csv(L).replace("setosa\n", "setosa\n,,,\n"), [], L),
    "header in every part": (csv(L.iloc[:10]) + csv(L.iloc[10:]), [], L),
    "old Macintosh": (csv(L, lineterminator="\r"), [], L),
    "ends of lines, mixed": (csv(L).replace("setosa\n", "setosa\r\n"), [], L),
    "returns twice": (csv(L, lineterminator="\r\r\n"), [], L),
    "two marks of the byte order": ("\ufeff\ufeff" + csv(L), [], L),
    "UTF-16 without a mark": (csv(L).encode("utf-16-le"), [], L),
    "zip": (zipped(csv(L)), [], L),
    "Hive": (csv(L, sep="\x01"), [], L),
    "carets": (csv(L, sep="^"), [], L),
    "tildes": (csv(L, sep="~"), [], L),
    "Oracle's last line": (csv(L) + f"\n{N} rows selected.\n", [], L),
    "sqlcmd": (csv(L).replace("\n", "\n-,-,-,-----\n", 1) + f"\n({N} rows affected)\n", [], L),
    "lakhs": (csv(L.assign(c=[f"{i + 1},{i % 9 + 10},{i * 37 + 100}.50" for i in range(N)])), [],
              L.assign(c=[float(f"{i + 1}{i % 9 + 10}{i * 37 + 100}.5") for i in range(N)])),
    "pounds": (csv(L.assign(c=[f"£{v:,.2f}" for v in C])), [], L),
    "reais": (csv(DE.assign(c=["R$ " + grouped(v, ".", ",") for v in C]), sep=";"), [], L),
    "kroner": (csv(DE.assign(c=[grouped(v, " ", ",") + " kr" for v in C]), sep=";"), [], L),
    "dollars behind": (csv(L.assign(c=[f"{v:,.2f} USD" for v in C])), [], L),
    "dollars below zero": (csv(L.assign(c=[f"(${v:,.2f})" if i % 2 else f"-${v:,.2f}" for i, v in enumerate(C)])), [], L.assign(c=-C)),
    "Excel's accounts": (csv(L.assign(c=[f" ${v:,.2f} " if i % 5 else " $-   " for i, v in enumerate(C)])), [], L.assign(c=DOLLARS)),
    "dollars and a word": (csv(L.assign(c=[f"${v}" if i else "sold" for i, v in enumerate(C)])), ["--kind", "c=number", "--na", "drop"], L.iloc[1:]),
    "percent with commas": (csv(DE.assign(a=[comma(v) + "\u00a0%" for v in A]), sep=";"), [], L),
    "degrees in Latin-1": (csv(L.assign(a=[f"{v} °C" for v in A])).encode("latin-1"), [], L),
    "commas and tabs": (csv(DE, sep="\t"), [], L),
    "commas between quotes": (csv(DE), [], L),
    "thin blanks": (csv(L.assign(c=[grouped(v, "\u2009") for v in C])), [], L),
    "apostrophes of printers": (csv(L.assign(c=[grouped(v, "’") for v in C])), [], L),
    "underscores": (csv(L.assign(c=[f"{v:_.1f}" for v in C])), [], L),
    "Fortran": (csv(L.assign(c=[f"{v:.6E}".replace("E", "D") for v in C])), [], L),
    "plus signs": (csv(L.assign(a=[f"{v:+}" for v in A])), [], L),
    "intervals": (csv(with_label(FRAME.assign(k=pd.cut(C, 4).astype(str)))), [], dummies(pd.cut(C, 4).astype(str))),
    "addresses of people": (csv(L.assign(email=[f"p{i}@example.org" for i in range(N)], ip=[f"10.0.{i}.{i * 7 % 255}" for i in range(N)],
                                         url=[f"https://example.org/?a={i}&b=2,3" for i in range(N)])), [], L),
    "numbers of telephones": (csv(L.assign(phone=[4179000000 + i * 7919 for i in range(N)])), [], L),
    "hashes that look like numbers": (csv(L.assign(hash=[f"{i * 2654435761 % 2**32:08x}" if i % 3 or not i else f"{i + 10}e{i + 300}" for i in range(N)])), [], L),
    "header of two lines in quotes": (csv(L.rename(columns={"a": "mass\n(kg)", "b": 'net, "dry"'})), [], L),
    "UCI, blanks behind commas": (numbers_of(L).replace(",", ", "), ["--label-column", "4"], L),
    "logger": ("Logger: TinyTag\r\nSerial;12345\r\n\r\nkanal;b;c;label\r\n[°C];[kg];[m];\r\n" +
               "".join(f"{comma(a)};{comma(b)};{comma(c)};{y}\r\n" for a, b, c, y in zip(A, B, C, LABELS)), [], L),
    "LabVIEW": ("LabVIEW Measurement\t\nWriter_Version\t2\n***End_of_Header***\t\na\tb\tc\tlabel\n" + csv(L, sep="\t", header=False), [], L),
    "pandas on a screen": (L.to_string() + "\n", [], L),
    "pictures as levels": (csv(with_label(FRAME.assign(k=np.where(FLAG, "😀", "😡")))), [], dummies(np.where(FLAG, "😀", "😡"))),
    "Python's log": (csv(L.assign(d=[f"{x:%Y-%m-%d %H:%M:%S},250" for x in STAMPS])), [], L.assign(d=[of_day(x, 0.25) for x in STAMPS])),
    "German clocks": (csv(L.assign(d=[f"{x:%d.%m.%Y, %H:%M} Uhr" for x in MINUTELY])), [], L.assign(d=[of_day(x) for x in MINUTELY])),
    "ISO in small letters": (csv(L.assign(d=[f"{x:%Y-%m-%dt%H:%M:%Sz}" for x in STAMPS])), [], L.assign(d=[of_day(x) for x in STAMPS])),
    "Hungarian dates": (days("%Y. %m. %d."), [], D),
    "Czech dates": (csv(D.assign(d=[f"{x.day}. {x.month}. {x.year}" for x in DATES])), [], D),
    "German days of the week": (csv(D.assign(d=[f"{'Mo Di Mi Do Fr Sa So'.split()[x.weekday()]}, {x:%d.%m.%Y}" for x in DATES])), [], D),
    "Polish months": (named_days(POLISH, "{} {} {}"), [], D),
    "Russian months": (named_days(RUSSIAN, "{} {} {}"), [], D),
    "Stata's months": (csv(D.assign(d=[f"{x.year}m{x.month}" for x in DATES])), [], MONTHS),

    "never (1)": (levels("Never (1)", "Rarely (2)", "Often (3)", "Always (4)"), [], ORDER),
    "not at all": (levels("Not at all", "Slightly", "Moderately", "Extremely"), [], ORDER),
    "slightly important": (levels("Not important", "Slightly important", "Moderately important", "Very important"), [], ORDER),
    "agree a little": (levels("Disagree strongly", "Disagree a little", "Agree a little", "Agree strongly"), [], ORDER),
    "nearly every day": (levels("Not at all", "Several days", "More than half the days", "Nearly every day"), [], ORDER),
    "monthly to daily": (levels("never", "monthly", "weekly", "daily"), [], ORDER),
    "degrees of schools": (levels("Less than high school", "High school", "Bachelor’s degree", "Master’s degree"), [], ORDER),
    "French answers": (levels("Pas du tout d'accord", "Plutôt pas d'accord", "Plutôt d'accord", "Tout à fait d'accord"), [], ORDER),
    "Spanish answers": (levels("Muy en desacuerdo", "En desacuerdo", "De acuerdo", "Muy de acuerdo"), [], ORDER),
    "German agreement": (levels("stimme gar nicht zu", "stimme eher nicht zu", "stimme eher zu", "stimme voll zu"), [], ORDER),
    "years of age": (levels("0–17 years", "18–29 years", "30–49 years", "50+ years"), [], ORDER),
    "stages": (levels("Stage I", "Stage II", "Stage III", "Stage IV"), [], ORDER),

    "credit and debit": (csv(L.assign(c=[f"{v:,.2f} {'DR' if i % 2 else 'CR'}" for i, v in enumerate(C)])), [], OWED),
    "Soll und Haben": (csv(DE.assign(c=[grouped(v, ".", ",") + ("0 S" if i % 2 else "0 H") for i, v in enumerate(C)]), sep=";"), [], OWED),
    "halves and quarters": (column(f"{i * 5 % 17}{'½¼¾'[i % 3]}" for i in range(N)), [],
                            with_label(FRAME.assign(v=[i * 5 % 17 + (0.5, 0.25, 0.75)[i % 3] for i in range(N)]))),
    "inches": (column(f"{i * 5 % 17} {(i * 3 % 7) + 1}/8 in" for i in range(N)), [],
               with_label(FRAME.assign(v=[i * 5 % 17 + (i * 3 % 7 + 1) / 8 for i in range(N)]))),
    "marks out of ten": (column(f"{i * 5 % 11}/10" for i in range(N)), [], with_label(FRAME.assign(v=np.arange(N) * 5 % 11))),
    "feet and inches": (column(f"{5 + i % 2}'{i * 5 % 12}\"" for i in range(N)), [], FEET),
    "feet and inches in words": (column(f"{5 + i % 2} ft {i * 5 % 12} in" for i in range(N)), [], FEET),
    "minutes of arc": (column(f"{47 + i}°30'{'NS'[i % 2]}" for i in range(N)), [],
                       with_label(FRAME.assign(v=[(47.5 + i) * (-1 if i % 2 else 1) for i in range(N)]))),
    "raised powers": (csv(L.assign(c=[f"{v}×10³" for v in C])), [], L.assign(c=[float(f"{v}e3") for v in C])),
    "a blank before E": (csv(L.assign(c=[f"{v} E+03" for v in C])), [], L.assign(c=[float(f"{v}e3") for v in C])),
    "texts of spreadsheets": (csv(L.assign(c=[f'="{v}"' for v in C])), [], L),

    "flags of programs": (csv(flags(f0=(".TRUE.", ".FALSE."), f1=("☑", "☐"), f2=("Checked", "Unchecked"), f3=("b'1'", "b'0'"), f4=("ano", "ne"),
                                    f5=("kyllä", "ei"), f6=("igen", "nem"))), [], plain_flags(7)),
    "more words for nothing": (gaps(*MORE_NOTHINGS), ["--na", "drop"], gone(len(MORE_NOTHINGS))),
    "questions under the names": ("a,b,c,label\n" + '"How tall?","How heavy?","How many?","Which group?"\n' +
                                  '"{""Id"":""Q1""}","{""Id"":""Q2""}","{""Id"":""Q3""}","{""Id"":""Q4""}"\n' + numbers_of(L), [], L),
    "types under the names": ("a,b,c,label\nfloat64,float64,float64,object\n" + numbers_of(L), [], L),
    "a unit of one column": ("a,b,c,label\n(mm),,,\n" + numbers_of(L), [], L),
    "Campbell's loggers": ('"TOA5","station","CR1000","1234","CR1000.Std.25","CPU:program.CR1","5678","table"\n"RECORD","a","b","c","label"\n' +
                           '"RN","V","C","m",""\n"","Avg","Avg","Smp","Smp"\n' + csv(L, index=True, header=False, quoting=2), [], L),
    "a long preamble": ("".join(f"Setting {i}: {i * 7}\n" for i in range(40)) + csv(L), [], L),
    "a long preamble, filled up": ("".join(f"Setting {i},{i * 7},,\n" for i in range(40)) + csv(L), [], L),
    "a sum below": (csv(L) + f"Total,{B.sum():.2f},{C.sum():.1f},\n", [], L),
    "sums of money below": (csv(L.assign(site=[f"s{i}" for i in range(N)], c=[f"${v:,.2f}" for v in C])[["site", "a", "b", "c", "label"]]) +
                            f'\nTotal:,{A.sum():.2f},{B.sum():.2f},"${C.sum():,.2f}",\n', [], L),
    "means below": (csv(L.assign(site=[f"s{i}" for i in range(N)])[["site", "a", "b", "c", "label"]]) +
                    f"Mean,{A.mean():.2f},{B.mean():.2f},{C.mean():.1f},\n", [], L),
    "rows that end early": (csv(L).replace(f"{B[4]},{C[4]},setosa", f"{B[4]}", 1), ["--na", "drop"], L.drop(4)),
    "remarks that end early": (csv(L.assign(remark="")).replace(",\n", "\n"), ["--drop-column", "remark"], L),
    "sides of a coin": (csv(with_label(FRAME.assign(k=np.where(FLAG, "y", "t")))), [], dummies(np.where(FLAG, "y", "t"))),
}


def test_each_table_is_read_by_one_of_the_verbs(tmp_path):
    plain, wrong = {}, []
    for number, (name, (content, options, expected)) in enumerate(TABLES.items()):
        verb = list(VERBS)[number % len(VERBS)]
        key = verb, csv(expected)
        if key not in plain:
            plain[key] = data_hash(verb, write(tmp_path / "plain.csv", key[1]), [])
        how = [word for word in options if not (options[:1] == ["--label-column"])]
        run = run_ritz(verb, write(tmp_path / f"t{number}.csv", content), *VERBS[verb] if how == options else
                       ["4" if word == "label" else word for word in VERBS[verb]], *how, "--threads", "1", "--json", "--quiet")
        if run.status not in (0, 4) or run.json["data"]["hash"] != plain[key]:
            wrong.append((name, verb, run.status, run.err))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="sqlite3 is not installed")
def test_what_sqlite_prints_is_read(tmp_path):
    import sqlite3
    with sqlite3.connect(tmp_path / "t.db") as base:
        L.to_sql("t", base, index=False)
    expected = data_hash("depend", write(tmp_path / "plain.csv", csv(L)), [])
    for mode in ("column", "table", "tabs", "markdown", "csv", "quote"):
        printed = subprocess.run(["sqlite3", tmp_path / "t.db", "-cmd", ".headers on", "-cmd", f".mode {mode}", "select * from t"],
                                 capture_output=True, check=True).stdout
        assert data_hash("depend", write(tmp_path / "t.txt", printed), []) == expected, mode


@pytest.mark.parametrize("content,words", [
    (csv(L).replace("1,", ",", 1) + "1,2\n", ["line 26", "found 2 fields"]),
    (csv(L) + '1,2,3,"x\n', ["never closed"]),
    (("\ufeff" + csv(L)).encode("utf-32-le"), ["UTF-32", "iconv"]),
    (zipped(csv(L), "other.csv"), ["2 files", "unpack it"]),
    (csv(L.assign(c=[("$" if i % 2 else "€") + str(v) for i, v in enumerate(C)])), ["several units", "--drop-column 'c'"]),
    (csv(L.assign(c=[f"${v}" if i else "sold" for i, v in enumerate(C)])), ["'sold' is not a number", "--kind 'c=number'"]),
    (csv(D.assign(d=[x.strftime("%d.%m.%Y") if i else "soon" for i, x in enumerate(DATES)])), ["'soon' is not a date", "--kind 'd=date'"]),
    (csv(L.assign(a=["Inf" if i == 3 else v for i, v in enumerate(A)])), ["line 5", "'Inf' is infinite", "NA"]),
    ("".join(f"- a: {a}\n  label: {y}\n" for a, y in zip(A, LABELS)), ["one column", "commas"]),
    (numbers_of(L), ["no header", "give its number"]),
    ("*************************** 1. row ***************************\n    a: 1\nlabel: x\n", ["mysql", "batch"]),
    ("-[ RECORD 1 ]---\na     | 1\nlabel | x\n", ["psql", "csv"]),
    ("<?xml version='1.0'?>\n<data/>\n", ["XML", "pandas.read_xml"]),
    (b"BZh91AY&SY\0\0\0\0", ["bzip2", "unpack"]),
    (b"%PDF-1.4\n%\0", ["PDF", "CSV"]),
    ("┌───┬───┐\n│ a │ b │\n", ["drawn with lines", "duckdb"]),
    (bytes(12) + bytes.fromhex("c2ea8160b31411cf") + bytes(300), ["SAS", "read_sas"]),
    (csv(L.assign(c=[f"{v} kg" if i % 3 else v for i, v in enumerate(C)])), ["several units", "--kind 'c=category' or 'c=number'"]),
    (csv(L).replace("setosa\n", "setosa\nremark\n", 1), ["line 3", "found 1 field", "take the line out"]),
    (csv(L).replace("setosa\n", "setosa,more\n", 1), ["line 2", "found 5 fields", "put a text that holds a ',' between double quotes"]),
], ids=["ragged", "open quote", "UTF-32", "zip of two", "two currencies", "a word", "no date", "infinite", "YAML", "no names", "mysql", "psql", "XML",
        "bzip2", "PDF", "DuckDB", "SAS", "with a unit and without", "a remark between", "one field more"])
def test_what_cannot_be_read_names_its_cure(content, words, tmp_path):
    run = run_ritz("reduce", write(tmp_path / "t.csv", content), "--label-column", "label")
    assert run.status in (2, 3) and run.err.count("\n") == 1 and all(word in run.err for word in words), run


def test_a_number_that_stands_for_nothing_is_asked_about(tmp_path):
    path = write(tmp_path / "t.csv", csv(GAPS.fillna(-999)))
    notes = facts("reduce", path, *VERBS["reduce"])["notes"]
    question = next(note for note in notes if "-999" in note)
    assert "'a'" in question and "*=number(-999)" in question
    assert question in facts("describe", path)["notes"] and "--kind '*=number(-999)'" in run_ritz("describe", path).err
    told = facts("describe", path, "--kind", "*=number(-999)")
    assert told["result"]["columns"][0]["missing"] == 2 and not any("-999" in note for note in told["notes"])
    quiet = write(tmp_path / "q.csv", csv(L.assign(c=np.linspace(900, 999, N))))  # the largest of many like it
    assert not any("stand for" in note for note in facts("describe", quiet)["notes"])


def test_new_samples_are_read_as_those_of_the_fit(tmp_path):
    """Codes for nothing, marks, dates and money, in other files than the fit's."""
    frame = with_label(FRAME.assign(born=DATES.strftime("%Y%m%d"), price=[f"${v:,.2f}" for v in C], mark=np.where(FLAG, "x", ""),
                                    color=COLOR))
    frame["a"] = [-999 if i in (2, 9) else v for i, v in enumerate(A)]
    run = run_ritz("reduce", write(tmp_path / "fit.csv", csv(frame)), *VERBS["reduce"], "--kind", "*=number(-999)", "--na", "median",
                   "--save-model", tmp_path / "m", "--save-embedding", tmp_path / "z.npy")
    assert run.status == 0, run
    Z = np.load(tmp_path / "z.npy")
    german = frame.assign(price=[grouped(v, ".", ",") + "0 $" for v in C], b=[comma(v) for v in B], c=[comma(v) for v in C],
                          a=[comma(v) for v in frame.a])
    for name, content in {"same": csv(frame), "permuted": csv(frame[frame.columns[::-1]]), "more": csv(frame.assign(other="x")),
                          "tabs": csv(frame, sep="\t"), "commas": csv(german, sep=";"), "zip": zipped(csv(frame)),
                          "gaps": csv(frame.assign(a=["" if v == -999 else v for v in frame.a])), "wide": csv(frame).encode("utf-16"),
                          "dates": csv(frame.assign(born=DATES.strftime("%Y-%m-%d"))), "alone": csv(frame.iloc[[2]])}.items():
        run = run_ritz("transform", tmp_path / "m", write(tmp_path / "new.csv", content), "--save-embedding", tmp_path / "n.npy")
        assert run.status == 0, (name, run)
        assert np.allclose(np.load(tmp_path / "n.npy"), Z[[2]] if name == "alone" else Z), name


def test_a_wide_table_is_refused_without_naming_all_its_columns(tmp_path):
    wide = pd.DataFrame(np.ones((3, 2000)), columns=[f"gene {j}" for j in range(2000)])
    run = run_ritz("reduce", write(tmp_path / "t.csv", csv(wide)), "--label-column", "class")
    assert run.status == 2 and len(run.err) < 1000 and "gene 0" in run.err, run


def test_limits_and_sums_are_told(tmp_path):
    notes = facts("describe", write(tmp_path / "t.csv", bounded("<1.5", ">9")))["notes"]
    assert any("limits in 'v' are taken as their numbers: '<1.5', '>9'" in note or "'>9', '<1.5'" in note for note in notes), notes
    frame = L.assign(name=[f"n{i}" for i in range(N)])[["name", "a", "b", "c", "label"]]
    path = write(tmp_path / "s.csv", csv(frame) + f"Total,{A.sum()},{B.sum()},{C.sum()},x\n")
    assert any("the last row is called 'Total'" in note for note in facts("describe", path)["notes"])


def test_what_is_no_sum_of_its_column_stays(tmp_path):
    frame = L.assign(site=[f"s{i}" for i in range(N)])[["site", "a", "b", "c", "label"]]
    for row in ("Total,1,2,3,setosa\n", f"Total,{A.sum():.2f},{B.sum():.2f},{C.sum():.1f},x\ns99,1,2,3,setosa\n"):
        told = facts("describe", write(tmp_path / "t.csv", csv(frame) + row))
        assert told["data"]["n"] == N + row.count("\n"), row


def test_rows_that_end_early_are_refused_until_it_is_said_what_to_do(tmp_path):
    path = write(tmp_path / "t.csv", csv(L).replace(f",{C[4]},setosa", "", 1))
    run = run_ritz("depend", path, "--label-column", "label")
    assert run.status == 3 and "line 6: found 2 fields" in run.err and "--na drop" in run.err, run
    notes = facts("depend", path, "--label-column", "label", "--na", "drop", "--permutations", "19")["notes"]
    assert any("1 row ends before the last field" in note for note in notes), notes


def test_new_samples_keep_the_names_that_the_fit_recognised(tmp_path):
    frame = L.assign(site=[f"s{i}" for i in range(N)])
    run = run_ritz("reduce", write(tmp_path / "fit.csv", csv(frame)), *VERBS["reduce"], "--save-model", tmp_path / "m", "--quiet")
    assert run.status == 0, run
    new = write(tmp_path / "new.csv", csv(frame.drop(columns="label").iloc[5:9, ::-1]))
    for verb, output in (("transform", "embedding"), ("predict", "labels")):
        assert run_ritz(verb, tmp_path / "m", new, f"--save-{output}", tmp_path / "out.csv", "--quiet").status == 0
        written = pd.read_csv(tmp_path / "out.csv")
        assert list(written["id"]) == ["s5", "s6", "s7", "s8"], written
    plain = write(tmp_path / "plain.csv", csv(frame.drop(columns=["label", "site"])))
    assert run_ritz("transform", tmp_path / "m", plain, "--save-embedding", tmp_path / "out.csv", "--quiet").status == 0
    assert list(pd.read_csv(tmp_path / "out.csv").columns) == ["axis1"]


def test_numbers_that_have_few_units_are_no_names(tmp_path):
    """They were left out as names of the rows, since all of them differ."""
    path = write(tmp_path / "t.csv", csv(L.assign(c=[f"{v} kg" if i % 3 else v for i, v in enumerate(C)])))
    columns = {column["name"]: column for column in facts("describe", path)["result"]["columns"]}
    assert "several units" in columns["c"]["of_no_use"]
    assert data_hash("reduce", path, ["--kind", "c=number"]) == data_hash("reduce", write(tmp_path / "p.csv", csv(L)), [])
    for values in (["1.5", "2.0T", "1.8"], ["8:00-12:00", "9:00-13:00", "8:00-13:00"], ["2WD", "4WD", "AWD"]):  # engines, hours, cars
        path = write(tmp_path / "e.csv", column(values[i % 3] for i in range(N)))
        told = {each["name"]: each for each in facts("describe", path)["result"]["columns"]}["v"]
        assert told["kind"] == "category", told
    first = write(tmp_path / "f.csv", "".join(f"{i + 1},{i * 7 % 5 + 2},n{i}\n" for i in range(N)))  # no header
    assert facts("describe", first)["data"]["n"] == N
    plots = write(tmp_path / "i.csv", csv(L.assign(plot=[f"{i // 2 + 1}{'ab'[i % 2]}" for i in range(N)])))
    assert facts("describe", plots)["result"]["columns"][-1]["kind"] == "id"


def test_new_samples_come_in_other_units(tmp_path):
    """A model reads 2300 g as 2.3 kg, 1.2k as 1200, and 90 min as 1h30."""
    frame = L.assign(a=[f"{abs(v)} kg" for v in A], b=[scaled(v) for v in BIG], c=[f"{m // 60}h{m % 60:02}" for m in SECONDS // 60])
    other = frame.assign(a=[f"{abs(v) * 1000:.6g} g" for v in A], b=BIG, c=[f"{m} min" for m in SECONDS // 60])
    run = run_ritz("reduce", write(tmp_path / "fit.csv", csv(frame)), *VERBS["reduce"], "--save-model", tmp_path / "m",
                   "--save-embedding", tmp_path / "z.npy", "--quiet")
    assert run.status == 0, run
    run = run_ritz("transform", tmp_path / "m", write(tmp_path / "new.csv", csv(other)), "--save-embedding", tmp_path / "n.npy")
    assert run.status == 0 and np.allclose(np.load(tmp_path / "n.npy"), np.load(tmp_path / "z.npy")), run
