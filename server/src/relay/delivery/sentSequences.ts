/**
 * The sequences of sent messages in ascending order. A plain array of numbers takes 1 kB for 128 of them; a set takes 7 kB,
 * which one address could multiply by its 50 sockets with 1,000 subscriptions each.
 */
export type SentSequences = number[]

/** True if `sequence` is among them. */
export function hasSequence(sent: SentSequences, sequence: number): boolean {
  return sent[findPosition(sent, sequence)] === sequence
}

/** Adds a sequence unless it is present. */
export function addSequence(sent: SentSequences, sequence: number): void {
  const position = findPosition(sent, sequence)
  if (sent[position] === sequence) return
  if (position === sent.length) sent.push(sequence)
  else sent.splice(position, 0, sequence)
}

/** Removes a sequence if it is present. */
export function removeSequence(sent: SentSequences, sequence: number): void {
  const position = findPosition(sent, sequence)
  if (sent[position] === sequence) sent.splice(position, 1)
}

/** Finds the first position whose sequence is not lower. Most sequences are higher than all earlier ones. */
function findPosition(sent: SentSequences, sequence: number): number {
  const last = sent.at(-1)
  if (last === undefined || last < sequence) return sent.length
  let [low, high] = [0, sent.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sent[middle] ?? Infinity) < sequence) low = middle + 1
    else high = middle
  }
  return low
}
