/**
 * Every connection speaks UTC and writes dates as ISO does. A page of an index costs what a page of a table costs, as on any disk
 * without a moving arm: with the default of 4 the count of a merchant with most of the vouchers scans the whole table for its
 * first ten thousand. Whoever gets no connection is refused in well under two seconds, waiting for a free one included (cases
 * FLT-05).
 */
export const CONNECTION_OPTIONS = {
  options: '-c timezone=UTC -c datestyle=ISO -c random_page_cost=1.1',
  connectionTimeoutMillis: 1_500,
  keepAlive: true,
}
