import type { StatementObserver } from '../database/database.ts'
import type { Tracing } from './tracing.ts'

/**
 * Traces the statements of a database by their names, inside of traced requests only. Neither the text of a statement nor its
 * parameters are part of a span.
 */
export function traceStatements(tracing: Tracing): StatementObserver {
  return ({ name, milliseconds, ok }) => {
    const startedAt = Date.now() - milliseconds
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
    tracing.startChild(name, { kind: 'client', attributes, startedAt })?.end(!ok)
  }
}
