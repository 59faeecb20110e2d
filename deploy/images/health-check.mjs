// The health check of the images: node health-check.mjs URL. Exits with 0 when the URL responds with 2xx, otherwise
// prints the response and exits with 1. So no image needs curl.
const [url = ''] = process.argv.slice(2)
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  if (!response.ok) console.log(`${url} answers ${response.status}: ${await response.text()}`)
  process.exit(response.ok ? 0 : 1)
} catch (error) {
  console.log(`${url} does not answer: ${error.cause?.message ?? error.message}`)
  process.exit(1)
}
