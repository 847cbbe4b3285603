import { useEffect, useState } from 'react'
import { useLatchkey } from '../context.ts'

/** A value that stays as it was until it has been still for a while. */
export function useDebounced<value>(value: value, milliseconds: number): value {
  const { clock } = useLatchkey()
  const [settled, setSettled] = useState(value)
  useEffect(() => clock.after(milliseconds, () => setSettled(value)), [clock, value, milliseconds])
  return settled
}
