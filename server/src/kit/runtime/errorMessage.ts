/** Gets the message of a thrown value, for logs. Joins the messages of an AggregateError. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join(', ')
  return error instanceof Error ? error.message : String(error)
}
