export default function CreditsPage() {
  return <p>CreditsPage</p>
}
