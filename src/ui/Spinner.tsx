/** Shows itself after 400 ms (`.spinner` in control.css): a wait shorter than that needs no sign. */
export function Spinner() {
  return (
    <svg className="i spinner" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3a9 9 0 1 1-8.5 6" />
    </svg>
  )
}
