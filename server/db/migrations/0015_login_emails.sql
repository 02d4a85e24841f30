-- A mailed link may also confirm the address that a login moves to.
ALTER TABLE password_link DROP CONSTRAINT password_link_kind_check;
--> statement-breakpoint
ALTER TABLE password_link
  ADD COLUMN email text,
  ADD CONSTRAINT password_link_kind_check CHECK (kind IN ('reset', 'activation', 'email')),
  ADD CONSTRAINT password_link_email_check CHECK ((kind = 'email') = (email IS NOT NULL));
--> statement-breakpoint
ALTER TABLE session DROP CONSTRAINT session_ended_reason_check;
--> statement-breakpoint
ALTER TABLE session ADD CONSTRAINT session_ended_reason_check CHECK (ended_reason IN (
  'superseded', 'expired', 'logout', 'reused', 'deactivated', 'password_changed', 'email_changed'));
--> statement-breakpoint
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check;
--> statement-breakpoint
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN (
  'reset', 'password_changed', 'activation', 'invitation', 'new_sign_in', 'account_locked', 'mfa_changed',
  'application_received', 'account_exists', 'review', 'authorised', 'authorisation_rejected', 'monthly_summary',
  'email_change', 'email_changed'));
