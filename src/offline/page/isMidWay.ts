/** An open question or menu, chosen rows: what stands behind them must not change under the hand. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], tbody input:checked'

/** Whether somebody is in the middle of something on this page, or is not looking at it at all. */
export function isPersonBusy(): boolean {
  if (document.visibilityState === 'hidden' || document.querySelector(OPEN)) return true
  return getSelection()?.isCollapsed === false
}
