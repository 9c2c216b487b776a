"""Instruction forms of the arithmetic rows, one kernel each.

A row: pattern (as in lib/SimCuda/Isa: {a,b} one of, ? may be missing),
operands, and how near two devices must be.

Operands: the result's register, '=', the sources'. h r l: 16, 32, 64 bits;
f g: f32, f64; t: that of the instruction's last type, d: of its first;
p, q: predicates; anything else stands as it is. Source k of a thread is its
input word k.

Tolerance: "exact"; "ulp N", "rel 2^-N" or "abs 2^-N" on values of the
result's type, with NaN and infinity equal; `where` limits the inputs to which
the documented bound applies.
"""

INT = "{u16,u32,u64,s16,s32,s64}"
SIGNED = "{s16,s32,s64}"
BITS = "{b16,b32,b64}"
WIDE = "{u32,s32,u64,s64}"
ROUND = "{rn,rz,rm,rp}"
FCMP = "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"
ICMP = "{eq,ne,lt,le,gt,ge}"

E = "exact"

ROWS = [
    # Integer arithmetic
    (f"add.{INT}", "t=tt", E), ("add.sat.s32", "r=rr", E),
    (f"sub.{INT}", "t=tt", E), ("sub.sat.s32", "r=rr", E),
    (f"mul.lo.{INT}", "t=tt", E), (f"mul.hi.{INT}", "t=tt", E),
    ("mul.wide.{u16,s16}", "r=hh", E), ("mul.wide.{u32,s32}", "l=rr", E),
    (f"mad.lo.{INT}", "t=ttt", E), (f"mad.hi.{INT}", "t=ttt", E),
    ("mad.hi.sat.s32", "r=rrr", E),
    ("mad.wide.{u16,s16}", "r=hhr", E), ("mad.wide.{u32,s32}", "l=rrl", E),
    ("mul24.{lo,hi}.{u32,s32}", "r=rr", E),
    ("mad24.{lo,hi}.{u32,s32}", "r=rrr", E), ("mad24.hi.sat.s32", "r=rrr", E),
    (f"sad.{INT}", "t=ttt", E), (f"div.{INT}", "t=tt", E),
    (f"rem.{INT}", "t=tt", E), (f"neg.{SIGNED}", "t=t", E),
    (f"abs.{SIGNED}", "t=t", E), (f"min.{INT}", "t=tt", E),
    (f"max.{INT}", "t=tt", E), ("{min,max}.relu.s32", "r=rr", E),
    ("{min,max}.{s32,s16x2}.relu", "r=rr", E),  # an order that NVRTC has
    # Carries: the whole chain is one form
    (f"add.cc.{WIDE}+addc.cc.{WIDE}", "carry", E),
    (f"sub.cc.{WIDE}+subc.cc.{WIDE}", "carry", E),
    (f"mad.lo.cc.{WIDE}+madc.hi.cc.{WIDE}", "carry3", E),
    (f"mad.hi.cc.{WIDE}+madc.lo.cc.{WIDE}", "carry3", E),
    # Bits
    ("{and,or,xor}." + BITS, "t=tt", E), ("{not,cnot}." + BITS, "t=t", E),
    ("lop3.b32", "r=rrr,0x1b", E), ("lop3.b32", "r=rrr,0xe8", E),
    ("lop3.{or,and}.b32", "r|p=rrr,0x96,p", E),
    (f"shl.{BITS}", "t=tr", E),
    ("shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", "t=tr", E),
    ("shf.{l,r}.{wrap,clamp}.b32", "r=rrr", E),
    ("{popc,clz}.b32", "r=r", E), ("{popc,clz}.b64", "r=l", E),
    ("bfind.shiftamt?.{u32,s32}", "r=r", E),
    ("bfind.shiftamt?.{u64,s64}", "r=l", E),
    ("brev.{b32,b64}", "t=t", E), ("bfe.{u32,s32,u64,s64}", "t=trr", E),
    ("bfi.{b32,b64}", "t=ttrr", E), ("bmsk.{clamp,wrap}.b32", "r=rr", E),
    ("szext.{clamp,wrap}.{u32,s32}", "r=rr", E),
    ("fns.b32", "r=r,7,-2", E), ("fns.b32", "r=r,3,2", E),
    ("fns.b32", "r=r,5,0", E),
    # Packed
    ("add.{u16x2,s16x2}", "r=rr", E), ("{min,max}.{u16x2,s16x2}", "r=rr", E),
    ("{min,max}.relu.s16x2", "r=rr", E),
    ("dp4a.{u32,s32}.{u32,s32}", "r=rrr", E),
    ("dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "r=rrr", E),
    ("prmt.b32", "r=rrr", E), ("prmt.b32.{f4e,b4e,rc8,ecl,ecr,rc16}", "r=rrr", E),
    # Comparisons
    (f"setp.{ICMP}.{INT}", "p=tt", E), ("setp.{lo,ls,hi,hs}.{u16,u32,u64}", "p=tt", E),
    (f"setp.{{eq,ne}}.{BITS}", "p=tt", E),
    (f"setp.{ICMP}.{{and,or,xor}}.{{s32,u64}}", "p|q=tt,p", E),
    (f"setp.{FCMP}.{{f32,f64,f16,bf16}}", "p=tt", E),
    (f"setp.{FCMP}.ftz.{{f32,f16}}", "p=tt", E),
    (f"setp.{FCMP}.{{f16x2,bf16x2}}", "p|q=rr", E),
    ("setp.{lt,neu,num}.{and,or,xor}.{f32,f64}", "p|q=tt,!p", E),
    ("set.{lt,ge,ne}.{u32,s32,f32}.{s32,u32}", "d=tt", E),
    ("set.{lt,equ,nan}.ftz?.{u32,f32}.f32", "d=tt", E),
    ("set.{lt,equ,nan}.{u32,f32}.f64", "d=gg", E),
    ("set.{lt,equ,nan}.ftz?.{f16,u16,u32}.f16", "d=hh", E),
    ("set.{lt,equ,nan}.{bf16,u16,u32}.bf16", "d=hh", E),
    ("set.{lt,equ,nan}.{f16x2,u32}.f16x2", "r=rr", E),
    ("set.{lt,equ,nan}.{bf16x2,u32}.bf16x2", "r=rr", E),
    ("slct.{u16,u32,u64,f32,f64}.s32", "d=ddr", E),
    ("slct.ftz?.{u16,u32,u64,f32,f64}.f32", "d=ddf", E),
    ("testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", "p=t", E),
    ("copysign.{f32,f64}", "t=tt", E),
    # Floats
    (f"{{add,sub,mul}}.{ROUND}.ftz?.sat?.f32", "f=ff", E),
    (f"{{add,sub}}.{ROUND}.sat.ftz.f32", "f=ff", E),  # LLVM's order
    (f"fma.{ROUND}.ftz?.sat?.f32", "f=fff", E),
    (f"mad.{ROUND}.f32", "f=fff", E), (f"div.{ROUND}.ftz?.f32", "f=ff", E),
    ("div.full.ftz?.f32", "f=ff", "ulp 2"),
    ("div.approx.ftz?.f32", "f=ff", "ulp 2 where b in 2^-126..2^126"),
    ("{neg,abs}.ftz?.f32", "f=f", E),
    ("{min,max}.ftz?.NaN?.f32", "f=ff", E),
    ("{min,max}.ftz?.NaN?.xorsign.abs.f32", "f=ff", E),
    (f"{{add,sub,mul}}.{ROUND}.f64", "g=gg", E), (f"fma.{ROUND}.f64", "g=ggg", E),
    (f"div.{ROUND}.f64", "g=gg", E), ("{neg,abs}.f64", "g=g", E),
    ("{min,max}.f64", "g=gg", E),
    # Halves
    ("{add,sub,mul}.ftz?.sat?.{f16,f16x2}", "t=tt", E),
    ("fma.rn.ftz?.sat?.{f16,f16x2}", "t=ttt", E),
    ("fma.rn.ftz?.relu.{f16,f16x2}", "t=ttt", E),
    ("{add,sub,mul}.{bf16,bf16x2}", "t=tt", E),
    ("fma.rn.relu?.{bf16,bf16x2}", "t=ttt", E),
    ("{neg,abs}.ftz?.{f16,f16x2}", "t=t", E), ("{neg,abs}.{bf16,bf16x2}", "t=t", E),
    ("{min,max}.ftz?.NaN?.{f16,f16x2}", "t=tt", E),
    ("{min,max}.NaN?.{bf16,bf16x2}", "t=tt", E),
    ("{min,max}.NaN?.xorsign.abs.{f16,f16x2,bf16,bf16x2}", "t=tt", E),
    ("ex2.approx.f16", "h=h", "rel 2^-9.9"),
    ("ex2.approx.ftz.bf16", "h=h", "rel 2^-7"),
    ("tanh.approx.f16", "h=h", "abs 2^-10.987"),
    ("tanh.approx.bf16", "h=h", "abs 2^-8"),
    # Conversions
    ("cvt.{u32,s32,u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64}", "d=t", E),
    ("cvt.{u8,s8,u16,s16}.{u16,s16,u32,s32,u64,s64}", "d=t", E),
    ("cvt.sat.{u8,s8,u16,s16}.{u32,s32,u64,s64}", "d=t", E),
    ("cvt.sat.{u32,s32}.{u64,s64}", "d=t", E), ("cvt.sat.{u32.s32,s32.u32,u64.s64,s64.u64}", "d=t", E),
    ("cvt.{rni,rzi,rmi,rpi}.{u8,s8,u16,s16,u32,s32,u64,s64}.{f16,f32,f64}", "d=t", E),
    ("cvt.{rni,rzi,rmi,rpi}.{u16,s16,u32,s32,u64,s64}.bf16", "d=t", E),
    ("cvt.{rni,rzi}.ftz.{s32,u32,s64,u64}.f32", "d=t", E),
    (f"cvt.{ROUND}.{{f32,f64,f16}}.{{u8,s8,u16,s16,u32,s32,u64,s64}}", "d=t", E),
    ("cvt.{rn,rz}.bf16.{u16,s16,u32,s32,u64,s64}", "d=t", E),
    (f"cvt.{ROUND}.ftz?.sat?.f32.f64", "f=g", E), ("cvt.ftz?.sat?.f64.f32", "g=f", E),
    ("cvt.{rni,rzi,rmi,rpi}.{f16,f32,f64}.{SAME}", "t=t", E),
    ("cvt.{rni,rmi}.ftz?.sat?.f32.f32", "f=f", E),
    ("cvt.ftz?.sat?.f32.f32", "f=f", E),
    ("cvt.ftz?.sat?.f32.f16", "f=h", E), ("cvt.f32.bf16", "f=h", E),
    ("cvt.f64.{f16,bf16}", "g=h", E), ("cvt.{f16,f64}.{SAME}", "t=t", E),
    ("cvt.{rn,rz,rm,rp}.bf16.{f64,f16}", "h=t", E),
    ("cvt.{rn,rz}.relu?.satfinite.{f16,bf16}.f32", "h=f", E),
    ("cvt.rna.satfinite.tf32.f32", "r=f", E),
    (f"cvt.{ROUND}.ftz?.sat?.f16.f32", "h=f", E), (f"cvt.{ROUND}.f16.f64", "h=g", E),
    ("cvt.{rn,rz}.relu?.{f16,bf16}.f32", "h=f", E), ("cvt.rn.{bf16.f16,f16.bf16}", "h=h", E),
    ("cvt.{rn,rz}.relu?.{f16x2,bf16x2}.f32", "r=ff", E),
    ("cvt.rna.tf32.f32", "r=f", E), ("cvt.{rn,rz}.relu?.tf32.f32", "r=f", E),
    ("cvt.rn.satfinite.relu?.{e4m3x2,e5m2x2}.f32", "h=ff", E),
    ("cvt.rn.satfinite.relu?.{e4m3x2,e5m2x2}.f16x2", "h=r", E),
    ("cvt.rn.relu?.f16x2.{e4m3x2,e5m2x2}", "r=h", E),
    ("cvt.pack.sat.{u16,s16}.s32", "r=rr", E),
    ("cvt.pack.sat.{u8,s8,u4,s4,u2,s2}.s32.b32", "r=rrr", E),
    # Special functions
    (f"{{rcp,sqrt}}.{ROUND}.ftz?.f32", "f=f", E), (f"{{rcp,sqrt}}.{ROUND}.f64", "g=g", E),
    ("rcp.approx.ftz?.f32", "f=f", "ulp 1"),
    ("sqrt.approx.ftz?.f32", "f=f", "rel 2^-22.5"),
    ("rsqrt.approx.ftz?.f32", "f=f", "rel 2^-22.4"),
    ("lg2.approx.ftz?.f32", "f=f", "abs 2^-22 or rel 2^-22"),
    ("ex2.approx.ftz?.f32", "f=f", "ulp 2"),
    ("{sin,cos}.approx.ftz?.f32", "f=f", "abs 2^-20.5 where a in 0..3.1415927"),
    ("tanh.approx.f32", "f=f", "rel 2^-10.98"),
    # An order that cuda_fp16.h has
    ("rcp.approx.f32.ftz", "f=f", "ulp 1"), ("rsqrt.approx.f32.ftz", "f=f", "rel 2^-22.4"),
    ("lg2.approx.f32.ftz", "f=f", "abs 2^-22 or rel 2^-22"),
    ("ex2.approx.f32.ftz", "f=f", "ulp 2"),
    ("{rcp,rsqrt}.approx.ftz.f64", "g=g", "rel 2^-20"),
    ("rsqrt.approx.f64", "g=g", "rel 2^-51"),
    # Selection
    ("selp.{b16,u32,s64,f32,f64}", "t=tt,!p", E),
    # Video
    ("v{add,sub,avrg,absdiff,min,max}{2,4}.u32.u32.u32", "r=rrr", E),
    ("v{add,sub,avrg,min,max}{2,4}.s32.s32.s32.sat", "r=rrr", E),
    ("vabsdiff{2,4}.{u32.u32.u32,s32.s32.s32}.add", "r=rrr", E),
]

KINDS = {"u8": "h", "s8": "h", "b16": "h", "u16": "h", "s16": "h", "f16": "h",
         "bf16": "h", "b32": "r", "u32": "r", "s32": "r", "f16x2": "r",
         "bf16x2": "r", "u16x2": "r", "s16x2": "r", "tf32": "r", "b64": "l",
         "u64": "l", "s64": "l", "f32": "f", "f64": "g"}


def expand(pattern):
    """All instruction texts of a pattern."""
    import itertools
    import re
    choices = []
    for piece in re.findall(r"\.?\{[^}]*\}\??|\.[^.{]+\?|[^{?]+(?=\.|\{|$)", pattern):
        optional = piece.endswith("?")
        piece = piece.removesuffix("?")
        dot = "." if piece.startswith(".") and "{" in piece else ""
        names = piece.lstrip(".").strip("{}").split(",") if "{" in piece else [piece]
        choices.append(([""] if optional else []) + [dot + n for n in names])
    for combination in itertools.product(*choices):
        text = "".join(combination)
        types = text.split(".")
        if "SAME" in types:
            text = text.replace("SAME", types[-2])
        yield text


def types_of(instruction):
    return [p for p in instruction.split(".")[1:] if p in KINDS]


def chain(instruction, three):
    """A carry chain of two instructions: results low + 3 * high + carry."""
    first, second = instruction
    kind = KINDS[types_of(first)[-1]]
    suffix = first.split(".")[-1]
    c = f", %{kind}3" if three else ""
    width = suffix[1:]
    return kind, (f"{first} %{kind}5, %{kind}1, %{kind}2{c};\n"
                  f"{second} %{kind}0, %{kind}1, %{kind}4{c};\n"
                  f"addc.u{width} %{kind}4, 0, 0;\n"
                  f"mad.lo.u{width} %{kind}0, %{kind}0, 3, %{kind}5;\n"
                  f"add.u{width} %{kind}0, %{kind}0, %{kind}4;")


def text_of(instruction, operands):
    """(result register kind, PTX)."""
    types = types_of(instruction)
    result, sources = operands.split("=")
    kind_of = {"t": KINDS[types[-1]] if types else "r", "d": KINDS[types[0]] if types else "r"}
    index, out = 0, []
    for piece in sources.split(","):
        if piece in ("p", "!p"):
            out.append(piece.replace("p", "%p3"))
        elif piece and all(c in "hrlfgtd" for c in piece):
            for c in piece:
                index += 1
                out.append(f"%{kind_of.get(c, c)}{index}")
        else:
            out.append(piece)
    before = "setp.lt.s32 %p3, %r4, 0;\n" if "p3" in " ".join(out) else ""
    if result in ("p", "p|q"):
        name = "%p1|%p2" if result == "p|q" else "%p1"
        body = f"{instruction} {name}, {', '.join(out)};\nselp.b32 %r0, 1, 0, %p1;"
        if result == "p|q":
            body += "\nselp.b32 %r5, 2, 0, %p2;\nor.b32 %r0, %r0, %r5;"
        return "r", before + body
    if result == "r|p":
        return "r", (before + f"{instruction} %r5|%p1, {', '.join(out)};\n"
                     "selp.b32 %r0, 1, 0, %p1;\nadd.u32 %r0, %r0, %r5;")
    kind = kind_of.get(result, result)
    return kind, before + f"{instruction} %{kind}0, {', '.join(out)};"


def forms():
    """(name, result kind, PTX text, tolerance) of every form."""
    seen = set()
    for pattern, operands, tolerance in ROWS:
        if operands.startswith("carry"):
            first, second = pattern.split("+")
            for texts in zip(expand(first), expand(second)):
                kind, text = chain(texts, operands == "carry3")
                yield "+".join(texts), kind, text, tolerance
            continue
        for instruction in expand(pattern):
            kind, text = text_of(instruction, operands)
            name = instruction
            while name in seen:
                name += "'"
            seen.add(name)
            yield name, kind, text, tolerance
