export default function WebhooksPage() {
  return <p>WebhooksPage</p>
}
