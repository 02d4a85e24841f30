/** The portal's name; on a phone the sign alone, with its words for screen readers. */
export function Logo() {
  return (
    <>
      <b>HRP</b>
      <span>Merchant Portal</span>
    </>
  )
}
