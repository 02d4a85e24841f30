/** In a file of their own: the route reads the tab from the URL before the page is loaded. */
export const BRANCH_TABS = ['details', 'pos'] as const
export type BranchTab = (typeof BRANCH_TABS)[number]
