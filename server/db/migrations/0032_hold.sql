-- One voucher, kept for one till. What has ended stays, so an id is never held again and its till is told why.
CREATE TABLE hold (
  -- Made by the device: the idempotency key of all that is said of it.
  id uuid PRIMARY KEY,
  -- SHA-256 in hex.
  secret_hash text NOT NULL CHECK (secret_hash ~ '^[0-9a-f]{64}$'),
  -- Empty, like all that follows up to ends_at, for what was cancelled before it was made.
  voucher_id uuid REFERENCES voucher,
  organisation_id uuid,
  branch_id uuid,
  pos_user_id uuid REFERENCES app_user,
  session_id uuid REFERENCES session,
  till_id uuid,
  till_name text,
  since timestamptz,
  ends_at timestamptz,
  became text CHECK (became IN (
    'redeemed', 'cancelled', 'released by merchant', 'released by provider', 'deactivated', 'taken over')),
  became_at timestamptz,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK (num_nonnulls(voucher_id, organisation_id, branch_id, pos_user_id, session_id, till_id, till_name, since, ends_at) IN (0, 9)),
  CHECK ((became IS NULL) = (became_at IS NULL)),
  CHECK (voucher_id IS NOT NULL OR became = 'cancelled')
);
--> statement-breakpoint
-- The one judge of who has a voucher.
CREATE UNIQUE INDEX hold_open ON hold (voucher_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_till ON hold (till_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_pos_user ON hold (pos_user_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_branch ON hold (branch_id, ends_at) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_organisation ON hold (organisation_id, ends_at) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_by_voucher ON hold (voucher_id) WHERE voucher_id IS NOT NULL;
--> statement-breakpoint
-- Most holds end by their own till: only those that were taken from one are looked for, by when that was.
CREATE INDEX hold_taken_away ON hold (organisation_id, became_at)
  WHERE became IN ('released by merchant', 'released by provider', 'deactivated', 'taken over');
--> statement-breakpoint
-- Holds that were cancelled before they were made are swept; those that were made stay, and are many more.
CREATE INDEX hold_unmade ON hold (became_at) WHERE voucher_id IS NULL;
--> statement-breakpoint
ALTER TABLE hold ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON hold USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
DROP POLICY tenant ON voucher;
--> statement-breakpoint
DROP POLICY tenant_lets_go ON voucher;
--> statement-breakpoint
DROP FUNCTION tenant_has_had;
--> statement-breakpoint
DROP TABLE ended_hold;
--> statement-breakpoint
ALTER TABLE voucher
  DROP COLUMN organisation_id, DROP COLUMN branch_id,
  DROP COLUMN hold_id, DROP COLUMN hold_secret_hash, DROP COLUMN hold_organisation_id, DROP COLUMN hold_branch_id,
  DROP COLUMN hold_pos_user_id, DROP COLUMN hold_session_id, DROP COLUMN hold_till_id, DROP COLUMN hold_till_name,
  DROP COLUMN hold_since, DROP COLUMN hold_ends_at;
--> statement-breakpoint
ALTER TABLE voucher RENAME COLUMN redeemed_organisation_id TO organisation_id;
--> statement-breakpoint
ALTER TABLE voucher RENAME COLUMN redeemed_branch_id TO branch_id;
--> statement-breakpoint
CREATE INDEX voucher_org_guid ON voucher (organisation_id, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_serial ON voucher (organisation_id, serial) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_denomination ON voucher (organisation_id, denomination_cents, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_used ON voucher (organisation_id, used_at, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_expires_on ON voucher (organisation_id, expires_on, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_guid ON voucher (branch_id, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_serial ON voucher (branch_id, serial) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_denomination ON voucher (branch_id, denomination_cents, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_used ON voucher (branch_id, used_at, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_expires_on ON voucher (branch_id, expires_on, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
-- A voucher that nobody has is money: a tenant sees those it has used, and those it holds or has had, by its own ledger and its own
-- holds. Who asks by a serial asks as the portal. What it has had is asked by a function of the owner, which is cheap to plan and only
-- called for what is not the tenant's now: written out, it cost every page of the voucher table half its time again.
CREATE FUNCTION tenant_has_had(voucher uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER COST 1
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM redemption WHERE voucher_id = tenant_has_had.voucher AND organisation_id = current_tenant())
    OR EXISTS (SELECT FROM hold WHERE voucher_id = tenant_has_had.voucher AND organisation_id = current_tenant());
END;
--> statement-breakpoint
CREATE POLICY tenant ON voucher FOR SELECT USING (organisation_id = (SELECT current_tenant()) OR tenant_has_had(id));
--> statement-breakpoint
-- Who settled it for its till, and why.
ALTER TABLE late_upload
  ADD COLUMN settled_by uuid REFERENCES app_user,
  ADD COLUMN reason text,
  ADD CHECK ((settled_by IS NULL) = (reason IS NULL));
--> statement-breakpoint
ALTER TABLE allowance_grant ADD COLUMN secret_hash text NOT NULL CHECK (secret_hash ~ '^[0-9a-f]{64}$');
--> statement-breakpoint
DROP INDEX accepted_voucher_of_till;
--> statement-breakpoint
ALTER TABLE accepted_voucher DROP COLUMN sequence, DROP COLUMN taking_number, ALTER COLUMN grant_id SET NOT NULL;
--> statement-breakpoint
CREATE INDEX accepted_voucher_of_till ON accepted_voucher (organisation_id, till_id, total_cents);
--> statement-breakpoint
CREATE INDEX accepted_voucher_to_review ON accepted_voucher (grant_id) WHERE outcome = 'review';
