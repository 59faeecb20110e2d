export default function OperationsPage() {
  return <p>OperationsPage</p>
}
