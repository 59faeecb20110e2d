export default function SupportPage() {
  return <p>SupportPage</p>
}
