/** Apart from their page, which is loaded when it is opened: the route reads the tab from the URL before. */
export const BRANCH_TABS = ['details', 'pos'] as const
export type BranchTab = (typeof BRANCH_TABS)[number]
