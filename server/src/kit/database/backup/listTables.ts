import type pg from 'pg'

/** A table, and the columns whose values are stored and not computed. */
export type TableShape = { name: string; columns: readonly string[] }

type Reference = { child: string; parent: string }

/** Lists the tables of the services, without the records of migrations. A table follows those that it references. */
export async function listTables(client: pg.Client): Promise<readonly TableShape[]> {
  const { rows: tables } = await client.query<TableShape>(
    `select relname as name, (
       select array_agg(attname::text order by attnum) from pg_attribute
       where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     ) as columns
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not like 'latchkey_migration_%' order by relname`,
  )
  const { rows: references } = await client.query<Reference>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
     where contype = 'f' and conrelid <> confrelid`,
  )
  return sortByReference(tables, references)
}

function sortByReference(tables: readonly TableShape[], references: readonly Reference[]): readonly TableShape[] {
  const sorted: TableShape[] = []
  const waiting = [...tables]
  while (waiting.length > 0) {
    const isFree = ({ name }: TableShape): boolean =>
      !references.some(({ child, parent }) => child === name && waiting.some((each) => each.name === parent))
    const index = waiting.findIndex(isFree)
    if (index === -1) throw new Error('The tables reference each other in a circle.')
    sorted.push(...waiting.splice(index, 1))
  }
  return sorted
}

/** Quotes the name of a table or a column. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
