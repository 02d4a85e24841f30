/**
 * What a deactivation means for vouchers on hold at the tills it ends. A list does not know how many there are: then it says what
 * would happen; nobody here can know what a till did without a line (DESIGN §7).
 */
export function holdsWarning(onHold: number | undefined): string {
  if (onHold === 0) return ''
  const which =
    onHold === undefined
      ? 'Holds there end.'
      : onHold === 1
        ? 'One voucher is on hold there; the hold ends.'
        : `${onHold} vouchers are on hold there; the holds end.`
  return ` ${which} What a till has taken offline is then refused when it uploads.`
}
