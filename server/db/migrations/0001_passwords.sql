-- A password set by link, by another door or by the main account ends sessions.
ALTER TABLE session DROP CONSTRAINT session_ended_reason_check;
--> statement-breakpoint
ALTER TABLE session ADD CONSTRAINT session_ended_reason_check
  CHECK (ended_reason IN ('superseded', 'expired', 'logout', 'reused', 'deactivated', 'password_changed'));
--> statement-breakpoint
-- Passwords before the current one, which is in app_user; only as many as the rule of the last three needs.
CREATE TABLE password_history (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user,
  password_hash text NOT NULL,
  changed_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX password_history_by_user ON password_history (user_id, changed_at);
--> statement-breakpoint
CREATE TABLE password_link (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  superseded boolean NOT NULL DEFAULT false
);
--> statement-breakpoint
CREATE INDEX password_link_by_user ON password_link (user_id, created_at);
--> statement-breakpoint
CREATE TABLE mail_outbox (
  id uuid PRIMARY KEY,
  to_address text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('reset', 'password_changed')),
  subject text NOT NULL,
  -- Both are erased once the mail is sent or given up: a link in them must not lie around.
  text text,
  html text,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL,
  give_up_at timestamptz NOT NULL,
  sent_at timestamptz,
  last_error text,
  CHECK ((text IS NULL) = (html IS NULL)),
  CHECK (sent_at IS NULL OR text IS NULL)
);
--> statement-breakpoint
CREATE INDEX mail_outbox_waiting ON mail_outbox (next_at) WHERE text IS NOT NULL;
