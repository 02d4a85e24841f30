/** Made when it is first wanted, and kept. For formatters: a phone takes milliseconds for each, and a screen needs one or two. */
export function onFirstUse<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
