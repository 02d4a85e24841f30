-- The report that goes with a mail; erased with its text.
ALTER TABLE mail_outbox
  ADD COLUMN attachment_name text,
  ADD COLUMN attachment_type text,
  ADD COLUMN attachment bytea,
  ADD CHECK (num_nonnulls(attachment_name, attachment_type, attachment) IN (0, 3)),
  ADD CHECK (text IS NOT NULL OR attachment IS NULL);
--> statement-breakpoint
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check;
--> statement-breakpoint
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN (
  'reset', 'password_changed', 'activation', 'invitation', 'new_sign_in', 'account_locked', 'mfa_changed',
  'application_received', 'account_exists', 'review', 'authorised', 'authorisation_rejected', 'monthly_summary'));
--> statement-breakpoint
-- Which months of an organisation are dealt with. The key decides which of several servers does it.
CREATE TABLE monthly_summary (
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- 2026-10: a Singapore month.
  month text NOT NULL CHECK (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  -- None for who did not want it then.
  mails integer NOT NULL CHECK (mails >= 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (organisation_id, month)
);
