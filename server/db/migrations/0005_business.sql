-- The profile of an organisation.
ALTER TABLE organisation
  ADD COLUMN registration_number text,
  ADD COLUMN address text,
  ADD COLUMN contact_name text,
  ADD COLUMN contact_number text,
  ADD COLUMN contact_email text,
  ADD COLUMN verification_method text NOT NULL DEFAULT 'Serial' CHECK (verification_method IN ('Serial', 'Serial and branch PIN')),
  ADD COLUMN summary_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN summary_recipients text[] NOT NULL DEFAULT '{}',
  ADD COLUMN logo_key text REFERENCES upload,
  ADD COLUMN revision integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE app_user
  ADD COLUMN name text,
  ADD COLUMN contact_name text,
  ADD COLUMN contact_number text,
  ADD COLUMN last_sign_in_at timestamptz,
  ADD COLUMN revision integer NOT NULL DEFAULT 0;
--> statement-breakpoint
UPDATE app_user u SET last_sign_in_at = (SELECT max(s.created_at) FROM session s WHERE s.user_id = u.id);
--> statement-breakpoint
ALTER TABLE branch
  ADD COLUMN kind text NOT NULL DEFAULT 'permanent' CHECK (kind IN ('permanent', 'adhoc')),
  ADD COLUMN from_day date,
  ADD COLUMN to_day date,
  ADD COLUMN business jsonb,
  ADD COLUMN financial_contact jsonb,
  -- Argon2id.
  ADD COLUMN pin_hash text,
  ADD COLUMN pin_weak boolean NOT NULL DEFAULT false,
  ADD COLUMN pin_set_at timestamptz,
  ADD COLUMN created_at timestamptz,
  ADD COLUMN created_by uuid REFERENCES app_user,
  ADD COLUMN revision integer NOT NULL DEFAULT 0,
  ADD CHECK ((kind = 'adhoc') = (from_day IS NOT NULL) AND (from_day IS NULL) = (to_day IS NULL) AND from_day <= to_day),
  ADD CHECK ((pin_hash IS NULL) = (pin_set_at IS NULL));
--> statement-breakpoint
-- One login for a branch, and one code within an organisation, whatever its case.
CREATE UNIQUE INDEX app_user_branch_login ON app_user (branch_id) WHERE type = 'Branch Merchant';
--> statement-breakpoint
CREATE UNIQUE INDEX branch_by_code ON branch (organisation_id, lower(code));
--> statement-breakpoint
-- Every sort and filter of the tables of masters, branches and POS users, within an organisation.
DROP INDEX branch_by_organisation;
--> statement-breakpoint
CREATE INDEX branch_org_name ON branch (organisation_id, name, id);
--> statement-breakpoint
CREATE INDEX branch_org_code ON branch (organisation_id, code, id);
--> statement-breakpoint
CREATE INDEX branch_org_status ON branch (organisation_id, status, id);
--> statement-breakpoint
CREATE INDEX branch_org_from_day ON branch (organisation_id, coalesce(from_day, '-infinity'), id);
--> statement-breakpoint
CREATE INDEX branch_org_to_day ON branch (organisation_id, coalesce(to_day, '-infinity'), id);
--> statement-breakpoint
CREATE INDEX app_user_org_guid ON app_user (organisation_id, type, id);
--> statement-breakpoint
CREATE INDEX app_user_org_name ON app_user (organisation_id, type, coalesce(name, ''), id);
--> statement-breakpoint
CREATE INDEX app_user_org_login ON app_user (organisation_id, type, login_name, id);
--> statement-breakpoint
CREATE INDEX app_user_org_status ON app_user (organisation_id, type, status, id);
--> statement-breakpoint
CREATE INDEX app_user_org_created ON app_user (organisation_id, type, created_at, id);
--> statement-breakpoint
CREATE INDEX app_user_org_sign_in ON app_user (organisation_id, type, coalesce(last_sign_in_at, '-infinity'), id);
--> statement-breakpoint
-- Whether anything refers to an account that is to be deleted, and what a voucher has been through.
CREATE INDEX redemption_by_pos_user ON redemption (pos_user_id);
--> statement-breakpoint
CREATE INDEX redemption_by_voucher ON redemption (voucher_id, redeemed_at, id);
--> statement-breakpoint
-- Files of the programme. They are small and few, so the database holds them: one thing to back up.
CREATE TABLE resource (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 10485760),
  size integer NOT NULL GENERATED ALWAYS AS (length(content)) STORED,
  updated_at timestamptz NOT NULL,
  -- Before it is set nobody sees the file.
  published_at timestamptz
);
--> statement-breakpoint
CREATE INDEX resource_guid ON resource (id) WHERE published_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX resource_title ON resource (title, id) WHERE published_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX resource_updated ON resource (updated_at, id) WHERE published_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX resource_size ON resource (size, id) WHERE published_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE resource_download (
  id uuid PRIMARY KEY,
  resource_id uuid NOT NULL REFERENCES resource,
  user_id uuid NOT NULL REFERENCES app_user,
  at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX resource_download_by_user ON resource_download (user_id, resource_id, at);
