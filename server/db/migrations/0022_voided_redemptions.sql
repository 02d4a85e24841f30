-- The list of voided redemptions, of an organisation and of a branch, from small indexes beside the ledger.
CREATE INDEX redemption_org_voided ON redemption (organisation_id, redeemed_at, id) WHERE voided_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX redemption_branch_voided ON redemption (branch_id, redeemed_at, id) WHERE voided_at IS NOT NULL;
