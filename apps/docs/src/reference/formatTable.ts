/**
 * Formats a Markdown table.
 *
 * @param head the titles of the columns
 * @param rows their cells, as Markdown
 */
export function formatTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Formats a text as inline code, even if it contains backticks. */
export function formatCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}
