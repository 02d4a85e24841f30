export function Vouchers() {
  return <h1>Vouchers</h1>
}
