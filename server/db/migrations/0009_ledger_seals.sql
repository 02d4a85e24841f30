-- The ledger, sealed batch by batch: each seal is a hash over its entries and over the seal before it, so that whoever changes a
-- row past the trigger, or takes one away, breaks the chain from there on (VCH-13).
CREATE TABLE ledger_seal (
  number bigint PRIMARY KEY CHECK (number > 0),
  sealed_at timestamptz NOT NULL,
  -- The highest receipt among them, or of the seal before.
  upto bigint NOT NULL,
  entries integer NOT NULL CHECK (entries > 0),
  -- Redeemed less voided.
  cents bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32)
);
--> statement-breakpoint
-- A redemption is sealed once as redeemed and, if it comes to that, once as voided. Which seal took which entry is written down:
-- rows become visible in another order than that of their receipts.
CREATE TABLE sealed_entry (
  redemption_id uuid NOT NULL REFERENCES redemption,
  kind text NOT NULL CHECK (kind IN ('redeemed', 'voided')),
  seal bigint NOT NULL REFERENCES ledger_seal,
  PRIMARY KEY (redemption_id, kind)
);
--> statement-breakpoint
CREATE INDEX sealed_entry_by_seal ON sealed_entry (seal);
--> statement-breakpoint
-- Few are voided, and each of them minutes after it was redeemed.
CREATE INDEX redemption_voided ON redemption (voided_at) WHERE voided_at IS NOT NULL;
--> statement-breakpoint
CREATE FUNCTION ledger_seal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a seal of the ledger is never changed or deleted';
END
$$;
--> statement-breakpoint
CREATE TRIGGER ledger_seal_append_only BEFORE UPDATE OR DELETE ON ledger_seal
  FOR EACH ROW EXECUTE FUNCTION ledger_seal_is_append_only();
--> statement-breakpoint
CREATE TRIGGER sealed_entry_append_only BEFORE UPDATE OR DELETE ON sealed_entry
  FOR EACH ROW EXECUTE FUNCTION ledger_seal_is_append_only();
