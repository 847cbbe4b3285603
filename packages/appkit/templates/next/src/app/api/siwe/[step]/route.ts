import { cookies } from 'next/headers'
import { NextResponse, type NextRequest } from 'next/server'
import { createNonce, endSession, findSession, startSession } from '@/server/sessions'

type Context = { params: Promise<{ step: string }> }

const cookieName = 'session'

export async function GET(_request: NextRequest, { params }: Context) {
  const { step } = await params
  if (step === 'nonce') return new NextResponse(createNonce())
  return NextResponse.json(findSession((await cookies()).get(cookieName)?.value) ?? null)
}

export async function POST(request: NextRequest) {
  const { message, signature } = (await request.json()) as { message: string; signature: `0x${string}` }
  const id = await startSession(message, signature)
  if (id === undefined) return NextResponse.json({}, { status: 401 })
  const response = NextResponse.json({})
  response.cookies.set(cookieName, id, { httpOnly: true, sameSite: 'strict' })
  return response
}

export async function DELETE() {
  endSession((await cookies()).get(cookieName)?.value)
  return new NextResponse(null, { status: 204 })
}
