-- Whose summary a mail is and of which month, so that a merchant is told what became of it.
ALTER TABLE mail_outbox
  ADD COLUMN organisation_id uuid REFERENCES organisation,
  ADD COLUMN month text CHECK (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  ADD CHECK (num_nonnulls(organisation_id, month) IN (0, 2));
--> statement-breakpoint
CREATE INDEX mail_outbox_summaries ON mail_outbox (organisation_id, month) WHERE organisation_id IS NOT NULL;
