"""Il resoconto della classe: conti e frasi giusti, nessun dato di una consegna comanda la pagina."""

from __future__ import annotations

import re

import pytest

from course_lib.grading.class_report import write_class_report
from course_lib.grading.outcomes import class_outcomes, damaged, read_record
from course_lib.grading.register import Register
from tests.grading.class_samples import HOSTILE, a_class, empty, graded, write_class


@pytest.fixture
def page_of(tmp_path):
    def write(records: list[dict]) -> str:
        register = Register(tmp_path)
        write_class(register, records)
        path = write_class_report(register, "es02")
        assert path == tmp_path / "registro" / "resoconti" / "es02.html"
        return path.read_text("utf-8")

    return write


def tiles(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def bars(page: str, heading: str) -> list[tuple[str, str]]:
    """Le barre di un grafico, dal suo titolo: etichetta e numero."""
    chart = page[page.index(heading) :]
    found = re.findall(
        r'class="nome">(.*?)</span>.*?class="quanti">(\d+)', chart[: chart.index("</figure>")], re.DOTALL
    )
    return [(re.sub(r"<small>.*?</small>|<.*?>", "", name).strip(), n) for name, n in found]


THREE = [
    graded("Anna", {}),
    graded("Bruno", {"scaled_scores": "senza scala", "attend": "senza scala"}),
    graded("Carla", {"scaled_scores": "senza scala + diviso per d_k", "combine": None}),
    empty("Dario", "interrotto", "Python si è fermato."),
]


def test_the_tiles_count_only_what_was_graded(page_of):
    assert tiles(page_of(THREE)) == {
        "consegne": "4", "valutate": "3", "senza voto": "1", "media": "7,0", "mediana": "6"
    }  # fmt: skip


def test_a_slip_counts_once_for_a_person_and_two_in_one_test_are_two(page_of):
    page = page_of(THREE)
    title = "L&#39;errore più frequente è «senza scala»: 2 su 3"
    assert title in page
    assert bars(page, title) == [("senza scala", "2"), ("diviso per d_k", "1")]
    table = re.findall(
        r"<tr><td><b>(.*?)</b></td><td><code>(.*?)</code></td><td class=\"punti\">(\d)</td><td>(.+?)</td>",
        page,
    )
    assert [row[:3] for row in table] == [
        ("senza scala", "scaled_scores, attend", "2"),
        ("diviso per d_k", "scaled_scores", "1"),
    ]
    assert all(row[3].endswith("?") for row in table)


def test_every_slip_of_the_class_has_its_question(page_of):
    page = page_of(
        [graded("Anna", {"combine": "ingressi modificati"}), graded("Bea", {"combine": "media semplice"})]
    )
    table = page[page.index("tavola-errori") :].partition("</table>")[0]
    assert len(re.findall(r"<td>[^<]+</td></tr>", table)) == 2
    assert "ci scrive dentro?" in table


def test_tests_are_in_the_order_of_the_exercise_and_the_hardest_is_named(page_of):
    page = page_of(THREE)
    title = "La prova più difficile è scaled_scores: la superano 1 su 3"
    assert bars(page, title) == [
        ("project", "3"), ("scaled_scores", "1"), ("softmax_row", "3"), ("combine", "2"), ("attend", "2")
    ]  # fmt: skip


def test_the_columns_of_marks_are_as_tall_as_they_say(page_of):
    page = page_of(a_class())
    bar = r'"quanti">(\d*)</span><i style="height:calc\(9.6rem \* ([\d.]+)\)"></i><span class="asse">(\d+)'
    columns = re.findall(bar, page)
    assert [label for _, _, label in columns] == [str(i) for i in range(11)]
    counts = {int(label): int(count or 0) for count, _, label in columns}
    marks = [int(record["punti"]) for record in a_class() if record["punti"] is not None]
    assert counts == {i: marks.count(i) for i in range(11)}
    tallest = max(counts.values())
    assert all(abs(float(height) - counts[int(label)] / tallest) < 0.001 for _, height, label in columns)


def test_an_empty_mark_is_a_dash_and_its_verdict_is_written(page_of):
    row = re.search(r"<tr><td class=\"persona\">Dario.*?</tr>", page_of(THREE), re.DOTALL).group()
    assert "<b>—</b>" in row
    assert '<b class="no">interrotto</b>' in row
    assert "Python si è fermato." in row


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([empty("Dario", "interrotto", "x")], ("Nessuna consegna è stata valutata", "Nessuna prova")),
        ([graded("Anna", {})], ("Un voto su 1 raggiunge 6 punti su 10", "sono superate da tutti",
                                "Nessun errore tipico riconosciuto")),
        ([graded("Anna", {"combine": None, "attend": None})], ("Nessun voto su 1 raggiunge",)),
        ([graded("Anna", {"combine": "media semplice"}), graded("Bea", {"attend": "senza scala"})],
         ("Gli errori più frequenti sono 2, con 1 su 2 ciascuno", "2 voti su 2 raggiungono 6 punti")),
    ],
)  # fmt: skip
def test_titles_state_what_is_found(page_of, records, said):
    page = page_of(records)
    for sentence in said:
        assert sentence in page


def test_two_people_of_one_name_are_told_apart(page_of, tmp_path):
    register = Register(tmp_path)
    for student in ("rossi-anna-11", "rossi-anna-12"):
        register.write_outcome("es02", student, graded("Rossi Anna", {}))
    page = page_of([graded("Bruno Verdi", {})])
    assert re.findall(r"<small>([a-z0-9-]+)</small>", page) == ["rossi-anna-11", "rossi-anna-12"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"verdetto": "boh", "punti": null}', '{"punti": 3}', "[" * 100_000,
     '{"verdetto": "valutato", "punti": null}',
     '{"verdetto": "valutato", "punti": 1, "massimo": 2, "prove": [{}]}'],
)  # fmt: skip
def test_a_damaged_outcome_is_said_and_the_others_are_shown(page_of, tmp_path, text):
    register = Register(tmp_path)
    write_class(register, THREE)
    path = register.outcome("es02", "zeno")
    path.write_text(text, "utf-8")
    assert "zeno" not in page_of(THREE)
    assert [o.student for o in class_outcomes(register, "es02")] == ["anna", "bruno", "carla", "dario"]
    assert read_record(path) == {}
    (sentence,) = damaged(register, "es02")
    assert sentence.startswith(f"L'esito {path} è rovinato: la sua consegna")


def test_whatever_comes_from_a_submission_is_text(page_of, tmp_path):
    record = graded(HOSTILE, {"attend": HOSTILE}, (HOSTILE, "\x1b[2J\u202e"))
    page = page_of([record, empty("Zoe" + HOSTILE, "illeggibile", HOSTILE)])
    assert "<script" not in page
    assert "<img" not in page
    assert "\x1b" not in page
    assert "&lt;script&gt;" in page


def test_the_page_needs_nothing_and_links_only_to_feedback(page_of, tmp_path):
    register = Register(tmp_path)
    feedback = register.feedback("es02", "anna")
    feedback.parent.mkdir(parents=True)
    feedback.write_text("x", encoding="utf-8")
    page = page_of(THREE)
    assert re.findall(r'(?:href|src)="(.*?)"', page) == ["../feedback/anna/es02/es02.html"]
    assert (register.class_page("es02").parent / "../feedback/anna/es02/es02.html").is_file()
    assert "default-src 'none'" in page
    assert not re.search(r"url\(|@import|<link", page)


def test_an_old_record_without_times_is_shown(page_of):
    record = graded("Anna", {})
    assert "<small>20/11/2026 alle 23:50</small>" in page_of([record])
    del record["correzione"]
    assert "<small>" not in page_of([record]).partition("Allievo per allievo")[2]
