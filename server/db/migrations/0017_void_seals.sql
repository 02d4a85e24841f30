-- A seal without entries says that there was nothing to seal: what was redeemed before it was not voided in time (rule 9.20).
ALTER TABLE ledger_seal DROP CONSTRAINT ledger_seal_entries_check;
--> statement-breakpoint
ALTER TABLE ledger_seal ADD CONSTRAINT ledger_seal_entries_check CHECK (entries >= 0);
--> statement-breakpoint
-- The sealer asks each minute whether there is one.
CREATE INDEX ledger_seal_empty ON ledger_seal (number) WHERE entries = 0;
