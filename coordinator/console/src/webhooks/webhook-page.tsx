export default function WebhookPage({ id }: { id: string }) {
  return <p>{id}</p>
}
