/** A merchant's page, as they typed it. Only what is a web page is a link, and it learns nothing of this one (cases WEB-03). */
export function WebLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  )
}
