-- The keys that sign vouchers and allowances (decision 0090). A key is never deleted: its id stands in vouchers.
CREATE TABLE voucher_key (
  id integer PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
  -- 32 bytes in base64url.
  public_key text NOT NULL,
  -- Sealed by the secrets of the server: whoever copies the database signs nothing with it.
  sealed_private_key text NOT NULL,
  made_at timestamptz NOT NULL,
  rotated_at timestamptz,
  ended_at timestamptz
);
--> statement-breakpoint
-- One at most signs.
CREATE UNIQUE INDEX voucher_key_signs ON voucher_key ((true)) WHERE rotated_at IS NULL AND ended_at IS NULL;
--> statement-breakpoint
-- When the provider revoked it; of those that the release before revokes it is not known.
ALTER TABLE voucher ADD COLUMN revoked_at timestamptz;
--> statement-breakpoint
CREATE INDEX voucher_by_revoked_at ON voucher (revoked_at) WHERE revoked_at IS NOT NULL;
--> statement-breakpoint
-- By arrival. The ledger grows at its end, so a block of it has rows of one time.
CREATE INDEX redemption_recorded_at ON redemption USING brin (recorded_at);
--> statement-breakpoint
-- What is spent, of vouchers that are not expired: for tills without a connection (decision 0091). A row a day; the newest counts.
CREATE TABLE spent_filter (
  made_on date PRIMARY KEY,
  made_at timestamptz NOT NULL,
  vouchers integer NOT NULL,
  filter bytea NOT NULL
);
