export default function KeysPage() {
  return <p>KeysPage</p>
}
