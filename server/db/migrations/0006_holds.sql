-- A device at the counter, by the random id it made for itself, and its name at one branch.
CREATE TABLE till (
  branch_id uuid NOT NULL REFERENCES branch,
  id uuid NOT NULL,
  name text NOT NULL,
  named_by uuid NOT NULL REFERENCES app_user,
  named_at timestamptz NOT NULL,
  PRIMARY KEY (branch_id, id)
);
--> statement-breakpoint
-- Who has a voucher on hold. The lock of this row decides every race for it.
ALTER TABLE voucher
  ADD COLUMN hold_id uuid,
  -- SHA-256 in hex.
  ADD COLUMN hold_secret_hash text CHECK (hold_secret_hash ~ '^[0-9a-f]{64}$'),
  ADD COLUMN hold_organisation_id uuid REFERENCES organisation,
  ADD COLUMN hold_branch_id uuid,
  ADD COLUMN hold_pos_user_id uuid REFERENCES app_user,
  ADD COLUMN hold_session_id uuid REFERENCES session,
  ADD COLUMN hold_till_id uuid,
  ADD COLUMN hold_till_name text,
  ADD COLUMN hold_since timestamptz,
  ADD COLUMN hold_ends_at timestamptz,
  ADD FOREIGN KEY (hold_organisation_id, hold_branch_id) REFERENCES branch (organisation_id, id),
  ADD CHECK (hold_id IS NULL OR status = 'Active'),
  ADD CHECK (num_nonnulls(hold_id, hold_secret_hash, hold_organisation_id, hold_branch_id, hold_pos_user_id, hold_session_id,
    hold_till_id, hold_till_name, hold_since, hold_ends_at) IN (0, 10));
--> statement-breakpoint
CREATE UNIQUE INDEX voucher_by_hold ON voucher (hold_id) WHERE hold_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_by_hold_till ON voucher (hold_till_id) WHERE hold_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_by_hold_pos_user ON voucher (hold_pos_user_id) WHERE hold_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_by_hold_branch ON voucher (hold_branch_id) WHERE hold_id IS NOT NULL;
--> statement-breakpoint
-- Holds that ended without a redemption: an id is never held again, and its till is told why.
CREATE TABLE ended_hold (
  id uuid PRIMARY KEY,
  secret_hash text NOT NULL CHECK (secret_hash ~ '^[0-9a-f]{64}$'),
  -- Empty for what was cancelled before it was made.
  voucher_id uuid REFERENCES voucher,
  organisation_id uuid REFERENCES organisation,
  branch_id uuid,
  pos_user_id uuid REFERENCES app_user,
  till_name text,
  since timestamptz,
  ended_by text NOT NULL CHECK (ended_by IN (
    'cancelled', 'released by merchant', 'released by provider', 'deactivated', 'taken over')),
  ended_at timestamptz NOT NULL,
  CHECK (num_nonnulls(voucher_id, organisation_id, branch_id, pos_user_id, till_name, since) IN (0, 6)),
  CHECK (voucher_id IS NOT NULL OR ended_by = 'cancelled')
);
--> statement-breakpoint
CREATE INDEX ended_hold_by_voucher ON ended_hold (voucher_id) WHERE voucher_id IS NOT NULL;
--> statement-breakpoint
-- Under which hold it was redeemed; the secret opens its receipt again.
ALTER TABLE redemption
  ADD COLUMN hold_secret_hash text CHECK (hold_secret_hash ~ '^[0-9a-f]{64}$'),
  ADD COLUMN till_id uuid,
  ADD COLUMN till_name text,
  ADD CHECK (num_nonnulls(hold_secret_hash, till_id, till_name) IN (0, 3));
--> statement-breakpoint
CREATE INDEX redemption_by_pos_user_day ON redemption (pos_user_id, redeemed_at, id);
--> statement-breakpoint
DROP INDEX redemption_by_pos_user;
--> statement-breakpoint
-- Whose table a voucher is in: who redeemed it or holds it. The indexes of the table follow (rule 11.4).
ALTER TABLE voucher
  ADD COLUMN organisation_id uuid GENERATED ALWAYS AS (coalesce(redeemed_organisation_id, hold_organisation_id)) STORED,
  ADD COLUMN branch_id uuid GENERATED ALWAYS AS (coalesce(redeemed_branch_id, hold_branch_id)) STORED;
--> statement-breakpoint
DROP INDEX voucher_org_guid, voucher_org_serial, voucher_org_denomination, voucher_org_date_used, voucher_org_expires_on,
  voucher_branch_guid, voucher_branch_serial, voucher_branch_denomination, voucher_branch_date_used, voucher_branch_expires_on;
--> statement-breakpoint
CREATE INDEX voucher_org_guid ON voucher (organisation_id, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_serial ON voucher (organisation_id, serial) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_denomination ON voucher (organisation_id, denomination_cents, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_date_used ON voucher (organisation_id, coalesce(used_at, 'infinity'), id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_expires_on ON voucher (organisation_id, expires_on, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_guid ON voucher (branch_id, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_serial ON voucher (branch_id, serial) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_denomination ON voucher (branch_id, denomination_cents, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_date_used ON voucher (branch_id, coalesce(used_at, 'infinity'), id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_expires_on ON voucher (branch_id, expires_on, id) WHERE branch_id IS NOT NULL;
