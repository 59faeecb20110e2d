/**
 * Returns the URL of MongoDB with this database in its path, whatever database it named before. Throws for a URL of
 * another form, because tests and benchmarks remove everything in the database that they open.
 */
export function databaseUrl(url: string, databaseName: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url)
  if (!parts) throw new Error('the URL of MongoDB must look like mongodb://HOST:PORT/DATABASE?OPTIONS')
  const [, servers, options = ''] = parts
  return `${servers}/${databaseName}${options}`
}
