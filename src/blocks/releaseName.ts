/** Names the build this tab runs by its bytes: the entry script carries the hash of everything it leads to. */
export const releaseName = (): string =>
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src.split('/').at(-1) ?? ''
