"""Le figure statiche del corso: ricevono dati già pronti e non fanno conti sull'attenzione."""
