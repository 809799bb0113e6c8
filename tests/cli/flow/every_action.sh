# Every kind of action, every way to name an element, every key, in the words of every tool.
exec 2>&1
python3 - > actions.jsonl <<'END'
import json
elements = [{"xpath": "//node[@resource-id='o.e:id/a']"}, {"xpath": "//node[@text='It''s \"x\"']"}, {"resourceId": "o.e:id/b"}, {"text": "Go: [1] #2"},
            {"xpath": "//button[@id='a' and contains(@class,'b')][2]"}, {"xpath": "(//node[@text='c'])[3]"}, {}]
actions = [{"kind": kind, **element, **value}
           for kind in ("click", "longClick", "doubleClick", "hover", "text", "drag", "scroll", "swipe", "pinch", "wait", "key")
           for element in elements[:4 if kind in ("pinch", "drag", "hover") else 7]
           for value in ({}, {"value": "left"}, {"value": "2.5"}, {"value": "a'b\"c\\d\ne$f"})
           if kind in ("text", "scroll", "swipe", "wait", "drag") or not value]
actions += [{"kind": "click", "area": "10 20 30 40"}, {"kind": "swipe", "value": "up", "area": "0 0 50 100"}, {"kind": "back"}, {"kind": "home"},
            {"kind": "launch"}, {"kind": "launch", "value": "o.e/.Main"}]
keys = """Enter Tab escape BACKSPACE Del Delete Space ArrowLeft arrow_up ArrowRight ArrowDown KEYCODE_DPAD_LEFT DpadUp DpadRight DpadDown
    DpadCenter PageUp PageDown MoveHome End Back Home Menu Search Camera Power VolumeUp volume_down VolumeMute MediaPlayPause MediaPlay
    MediaPause MediaStop MediaNext MediaPrevious AppSwitch a Z 5 ? F1 nothing""".split()
actions += [{"kind": "key", "value": key} for key in keys]
for start in range(0, len(actions), 12):
    steps = [{"event": f"e{start + i}", "kind": "user", "device": "d", "time": i / 4 if i < 3 else 0, "actions": [action]} for i, action in enumerate(actions[start:start + 12])]
    print(json.dumps({"kind": "exit", "model": "m", "start": [{"device": "d", "application": "A", "package": "o.e", "states": ["A/B/C/s"]}],
                      "steps": steps + [{"event": "sent", "device": "d", "kind": "system"}]}))
END
for format in maestro webdriver wdio uiautomator; do echo "== $format"; tactus flow export actions.jsonl --to $format; echo "exit $?"; done
for platform in android ios web; do tactus flow export actions.jsonl --to maestro --platform $platform --url http://h/p | cksum; done
