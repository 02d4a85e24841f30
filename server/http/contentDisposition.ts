/** RFC 6266: the name in ASCII for old readers, and whole in UTF-8 for the others. No path, no line break, no quote gets through. */
export function contentDisposition(filename: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  const safe = filename.replaceAll(/[/\\\u0000-\u001f\u007f]/g, '_')
  const ascii = safe.replaceAll(/[–—]/g, '-').replaceAll(/[^ -~]|"/g, '_')
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
