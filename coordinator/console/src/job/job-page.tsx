export default function JobPage({ id }: { id: string }) {
  return <p>JobPage {id}</p>
}
