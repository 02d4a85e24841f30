/** On the first days of a month. */
export const NothingRedeemed = () => <p className="pad muted">Nothing was redeemed this month so far.</p>
