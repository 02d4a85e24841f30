/** First in the page: past the navigation, to what the page is about. */
export function SkipLink({ to = 'main' }: { to?: string }) {
  return (
    <a className="skip" href={`#${to}`}>
      Skip to content
    </a>
  )
}
