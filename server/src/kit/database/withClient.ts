import pg from 'pg'

/** Runs work over a connection of its own to the database at a URL. */
export async function withClient<result>(url: string, work: (client: pg.Client) => Promise<result>): Promise<result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
