"""«Prima prevedi»: la previsione si registra, la risposta viene dal conto, sulla carta si legge lo stesso."""

import math

import pytest

from course_lib.widgets.prediction import Prediction, prima_prevedi

VIEW = "application/vnd.jupyter.widget-view+json"


def press(prediction, value):
    field, button, note = prediction.form().children
    field.value = value
    button.click()
    return note.value


def test_choice_confirmed_and_compared(capsys):
    prediction = prima_prevedi("scende", "resta uguale", "sale")
    assert "Hai previsto: (b) resta uguale. Ora vai avanti." in press(
        prediction, "resta uguale"
    )
    assert prediction.answer == "resta uguale"
    prediction.confronta("scende")
    assert capsys.readouterr().out.splitlines() == [
        "Dal conto: (a) scende.",
        "La tua previsione: (b) resta uguale. Non è quello che viene dal conto: perché?",
    ]
    press(prediction, "scende")
    prediction.confronta("scende")
    assert capsys.readouterr().out.splitlines()[1] == (
        "La tua previsione: (a) scende. È quello che viene dal conto."
    )


def test_number_confirmed_and_compared(capsys):
    prediction = prima_prevedi()
    press(prediction, "0,08")
    assert prediction.answer == 0.08
    prediction.confronta(0.0826)
    prediction.confronta(0.0826, tolleranza=0.001)
    assert capsys.readouterr().out.splitlines() == [
        "Dal conto: 0,083.",
        "La tua previsione: 0,08. È quello che viene dal conto.",
        "Dal conto: 0,083.",
        "La tua previsione: 0,08. Non è quello che viene dal conto: perché?",
    ]


def test_a_number_badly_written_is_refused_and_the_old_one_stays():
    prediction = prima_prevedi()
    press(prediction, "1/4")
    assert "«boh &lt;b&gt;» non è un numero" in press(prediction, "boh <b>")
    assert prediction.answer == 0.25


def test_nothing_chosen_is_said():
    prediction = prima_prevedi("a", "b")
    assert "Scegli una delle alternative" in press(prediction, None)
    assert prediction.answer is None


def test_without_a_prediction_only_the_result_is_said(capsys):
    prima_prevedi("a", "b").confronta("b")
    assert capsys.readouterr().out == "Dal conto: (b) b.\n"


def test_an_outcome_that_cannot_be_is_an_error_of_the_author():
    with pytest.raises(ValueError, match=r"esito: .*'c'"):
        prima_prevedi("a", "b").confronta("c")
    with pytest.raises(ValueError, match=r"esito: .*finito"):
        prima_prevedi().confronta(math.nan)


@pytest.mark.parametrize("options", [("sola",), tuple("abcdefghi")])
def test_too_few_or_too_many_options(options):
    with pytest.raises(ValueError, match=r"da 2 a 8"):
        prima_prevedi(*options)


def test_on_paper_the_options_are_read():
    bundle = prima_prevedi("x < y", "x = y")._repr_mimebundle_()
    assert bundle["text/plain"] == "(a) x < y\n(b) x = y"
    assert bundle["text/html"] == "(a) x &lt; y<br>(b) x = y"
    assert VIEW in bundle
    assert prima_prevedi()._repr_mimebundle_()["text/plain"] == "La tua previsione: ________"


def test_shown_twice_it_is_the_same_form():
    prediction = prima_prevedi("a", "b")
    assert prediction._repr_mimebundle_()[VIEW] == prediction._repr_mimebundle_()[VIEW]


def test_two_predictions_do_not_disturb_each_other():
    first, second = Prediction(["a", "b"]), Prediction(["a", "b"])
    press(first, "a")
    assert second.answer is None
    assert first._repr_mimebundle_()[VIEW] != second._repr_mimebundle_()[VIEW]
