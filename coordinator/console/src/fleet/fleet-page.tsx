export default function FleetPage() {
  return <p>FleetPage</p>
}
