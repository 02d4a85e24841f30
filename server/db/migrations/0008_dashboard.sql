-- Reports and the dashboard count what was not voided, by time: they find all they add up in the index itself. Nothing else
-- looks for the redemptions of an organisation, so it is the only one.
CREATE INDEX redemption_org_redeemed_at ON redemption (organisation_id, redeemed_at, id) INCLUDE (branch_id, amount_cents)
  WHERE voided_at IS NULL;
--> statement-breakpoint
DROP INDEX redemption_by_organisation;
