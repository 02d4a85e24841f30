/** A complete file as the server sent it. */
export interface DownloadedFile {
  bytes: ArrayBuffer
  filename: string
  type: string
}
