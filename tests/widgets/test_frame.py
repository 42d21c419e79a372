"""La cornice Python: richieste, guasti detti in una frase, la figura di riserva disegnata una volta."""

from types import SimpleNamespace

from course_lib.widgets.frame import CourseWidget


class Counter(CourseWidget):
    """Un widget che conta quante volte disegna la sua figura, e risponde con il doppio."""

    _esm = "export default { render() {} }"
    drawn = 0

    def answer_to(self, request):
        if request["n"] < 0:
            raise ValueError("n: mi aspettavo un numero da 0 in su.")
        return {"twice": 2 * request["n"] if request["n"] else 1 / 0}

    def fallback(self):
        self.drawn += 1
        words = {"summary": f"riassunto {self.state}", "alt": "che cosa si vede"}
        return SimpleNamespace(png=b"x", width=1, height=1, **words)


def test_the_picture_is_drawn_once_for_each_state():
    widget = Counter(state={"twice": 0})
    for _ in range(2):
        data, metadata = widget._repr_mimebundle_()
    assert repr(widget) == data["text/plain"] == "riassunto {'twice': 0}"
    assert metadata["image/png"]["alt"] == "che cosa si vede"
    assert widget.drawn == 1
    widget.state = {"twice": 4}
    assert repr(widget) == "riassunto {'twice': 4}"
    assert widget.drawn == 2


def test_a_request_is_answered_with_its_number_and_a_wrong_one_changes_nothing():
    widget = Counter(state={"twice": 0})
    widget.request = {"serial": 7, "n": 3}
    assert (widget.state, widget.answer) == ({"twice": 6}, {"serial": 7, "problem": ""})
    widget.request = {"serial": 8, "n": -1}
    assert widget.state == {"twice": 6}
    assert widget.answer == {"serial": 8, "problem": "n: mi aspettavo un numero da 0 in su."}
    widget.request = {"serial": 9, "n": 0}
    assert widget.state == {"twice": 6}
    assert "guasto del widget" in widget.answer["problem"]
    assert "ZeroDivisionError" in widget.answer["problem"]
