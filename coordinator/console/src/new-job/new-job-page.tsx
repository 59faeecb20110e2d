export default function NewJobPage() {
  return <p>NewJobPage</p>
}
