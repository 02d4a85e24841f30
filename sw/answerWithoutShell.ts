import { setCatchHandler } from 'workbox-routing'

const SERVER_TAKES_AT_MOST_MS = 8_000

/**
 * The shell is gone from this device and could not be fetched as this build knows it (cases 25, 26). The server may have a newer
 * one, which starts by itself; without a line a page says what to do, and the browser's own error page does not come up.
 */
export function answerWithoutShell(): void {
  setCatchHandler(async ({ request }) => {
    if (request.mode !== 'navigate') return Response.error()
    try {
      return await fetch(request, { signal: AbortSignal.timeout(SERVER_TAKES_AT_MOST_MS) })
    } catch {
      return openOnline()
    }
  })
}

const openOnline = () =>
  new Response(PAGE, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // The text below is all there is: nothing of a person is ever in it.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  })

const PAGE = `<!doctype html>
<html lang="en-SG">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>HRP Merchant Portal</title>
<style>
body { margin: 0; padding: 15vh 24px; font: 16px/1.5 system-ui, sans-serif; text-align: center }
h1 { font-size: 20px; margin: 0 0 8px }
p { margin: 0 auto 24px; max-width: 440px }
a { display: inline-block; padding: 12px 24px; border: 1px solid; border-radius: 8px; color: inherit; text-decoration: none }
</style>
</head>
<body>
<h1>Open the portal once online</h1>
<p>This device no longer has the portal's files and cannot fetch them now. Connect to the internet, then try again.</p>
<a href="">Try again</a>
</body>
</html>`
