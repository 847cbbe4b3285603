const operationPattern = /\b(select|insert|update|delete|create|drop|alter|truncate|begin|commit|rollback)\b/i
/** Not followed by a parenthesis, which would make it a function. */
const tablePattern = /\b(?:from|into|update|join|table)\s+"?([a-z_][a-z0-9_]*)\b(?!"?\s*\()/gi
const intoPattern = /\b(?:insert into|delete from|update)\s+"?([a-z_][a-z0-9_]*)/i
const subqueryPattern = /\b([a-z_][a-z0-9_]*)\s+(?:\([^)]*\)\s+)?as\s+(?:materialized\s+)?\(/gi
const keywords: readonly string[] = ['select', 'only', 'lateral', 'set', 'if']

/**
 * Describes a statement by its operation and one table, for example `insert relay_message`. It has nothing else of the
 * statement's text, and no values.
 */
export function describeStatement(text: string): string {
  const changed = intoPattern.exec(text)
  if (changed?.[1] !== undefined) return `${changed[0].split(/\s/, 1)[0]?.toLowerCase()} ${changed[1]}`
  const operation = operationPattern.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const subqueries = [...text.matchAll(subqueryPattern)].map(([, name]) => name)
  const table = [...text.matchAll(tablePattern)]
    .map(([, name = '']) => name)
    .find((name) => !subqueries.includes(name) && !keywords.includes(name))
  return table === undefined ? operation : `${operation} ${table}`
}
