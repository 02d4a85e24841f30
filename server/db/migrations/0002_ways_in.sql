-- An account that was invited has no password before its activation link was used.
ALTER TABLE app_user ALTER COLUMN password_hash DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE app_user ALTER COLUMN password_changed_at DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE app_user ADD CONSTRAINT app_user_password_dated CHECK ((password_hash IS NULL) = (password_changed_at IS NULL));
--> statement-breakpoint
-- Somebody else set the password: the next sign-in asks for one of the person's own.
ALTER TABLE app_user ADD COLUMN must_change_password boolean NOT NULL DEFAULT false;
--> statement-breakpoint
ALTER TABLE password_link ADD COLUMN kind text NOT NULL DEFAULT 'reset' CHECK (kind IN ('reset', 'activation'));
--> statement-breakpoint
ALTER TABLE password_link ALTER COLUMN kind DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check;
--> statement-breakpoint
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN (
  'reset', 'password_changed', 'activation', 'invitation', 'new_sign_in', 'account_locked', 'mfa_changed'));
--> statement-breakpoint
-- A right password that still needs something. A new password deletes the challenges of its user.
CREATE TABLE sign_in_challenge (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid NOT NULL REFERENCES app_user,
  kind text NOT NULL CHECK (kind IN ('NEW_PASSWORD', 'MFA_SETUP', 'MFA_CODE')),
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX sign_in_challenge_by_user ON sign_in_challenge (user_id);
--> statement-breakpoint
CREATE INDEX sign_in_challenge_by_expiry ON sign_in_challenge (expires_at);
--> statement-breakpoint
CREATE TABLE mfa (
  user_id uuid PRIMARY KEY REFERENCES app_user,
  -- AES-256-GCM, bound to the user.
  sealed_secret text NOT NULL,
  -- The 30-second step of the last code that was taken: none up to it is taken again.
  last_step bigint NOT NULL,
  enabled_at timestamptz NOT NULL
);
--> statement-breakpoint
-- A secret that is not in force yet: of one challenge or of one session, and gone with it.
CREATE TABLE mfa_setup (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid NOT NULL REFERENCES app_user,
  challenge_hash text UNIQUE REFERENCES sign_in_challenge ON DELETE CASCADE,
  session_id uuid UNIQUE REFERENCES session,
  sealed_secret text NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  CHECK ((challenge_hash IS NULL) <> (session_id IS NULL))
);
--> statement-breakpoint
CREATE INDEX mfa_setup_by_user ON mfa_setup (user_id);
--> statement-breakpoint
-- Those not used yet.
CREATE TABLE recovery_code (
  user_id uuid NOT NULL REFERENCES app_user,
  code_hash text NOT NULL CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (user_id, code_hash)
);
--> statement-breakpoint
CREATE TABLE sign_in (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user,
  at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('signed in', 'wrong password', 'wrong code', 'blocked')),
  device text NOT NULL,
  ip_address text NOT NULL,
  session_id uuid REFERENCES session,
  CHECK ((outcome = 'signed in') = (session_id IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX sign_in_by_user ON sign_in (user_id, at, id);
--> statement-breakpoint
-- Browsers a user has signed in with, by the hash of a cookie.
CREATE TABLE known_device (
  user_id uuid NOT NULL REFERENCES app_user,
  token_hash text NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, token_hash)
);
